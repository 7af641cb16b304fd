"""Verifies a signed WACZ (wacz-auth 0.1, anonymous form) without any code of the product. Prints the key, or fails."""
import base64, hashlib, json, sys, zipfile
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

with zipfile.ZipFile(sys.argv[1]) as wacz:
    package = wacz.read("datapackage.json")
    digest = json.loads(wacz.read("datapackage-digest.json"))
    stated = "sha256:" + hashlib.sha256(package).hexdigest()
    signed = digest["signedData"]
    assert digest["path"] == "datapackage.json" and digest["hash"] == stated == signed["hash"], "digest"
    assert json.loads(package)["created"] == signed["created"], "created"
    for resource in json.loads(package)["resources"]:
        content = wacz.read(resource["path"])
        assert len(content) == resource["bytes"], resource["path"]
        assert "sha256:" + hashlib.sha256(content).hexdigest() == resource["hash"], resource["path"]
    key = serialization.load_der_public_key(base64.b64decode(signed["publicKey"], validate=True))
    assert key.curve.name == "secp384r1", key.curve.name
    pair = base64.b64decode(signed["signature"], validate=True)
    half = len(pair) // 2
    der = utils.encode_dss_signature(int.from_bytes(pair[:half], "big"), int.from_bytes(pair[half:], "big"))
    key.verify(der, signed["hash"].encode(), ec.ECDSA(hashes.SHA256()))
    print(signed["publicKey"])
