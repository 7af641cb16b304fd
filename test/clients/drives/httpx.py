"""Drives the client that openapi-python-client makes."""

import os
import time
from io import BytesIO

from muniment_client import AuthenticatedClient, Client
from muniment_client.api.all_crawls import download_item
from muniment_client.api.auth import log_in
from muniment_client.api.crawlconfigs import create_workflow
from muniment_client.api.crawls import get_crawl
from muniment_client.api.organizations import list_orgs, set_webhook_urls
from muniment_client.api.uploads import get_upload, upload_stream
from muniment_client.api.webhooks import list_webhook_notifications
from muniment_client.models import HTTPValidationError
from muniment_client.models import BodyLoginApiAuthJwtLoginPost, CrawlConfigIn, ErrorResponse
from muniment_client.models import OrgWebhookUrls, RawCrawlConfigInput, Seed
from muniment_client.types import File

env = os.environ


def until(look):
    for _ in range(1200):
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError


form = BodyLoginApiAuthJwtLoginPost(username=env["EMAIL"], password=env["PASSWORD"])
token = log_in.sync(client=Client(base_url=env["BASE_URL"]), body=form).access_token
client = AuthenticatedClient(base_url=env["BASE_URL"], token=token)
oid = next(org.id for org in list_orgs.sync(client=client).items if org.default)
assert set_webhook_urls.sync(oid, client=client, body=OrgWebhookUrls(crawl_finished=env["RECEIVER"])).updated

config = RawCrawlConfigInput(seeds=[Seed(url="https://example.com/")])
body = CrawlConfigIn(name="httpx", config=config, run_now=True)
crawl = create_workflow.sync(oid, client=client, body=body).run_now_job
until(lambda: get_crawl.sync(crawl_id=crawl, oid=oid, client=client).state == "complete")
assert download_item.sync(crawl_id=crawl, oid=oid, client=client).payload.read(2) == b"PK"

with open(env["WACZ"], "rb") as file:
    sent = File(payload=BytesIO(file.read()))
upload = upload_stream.sync(oid, client=client, body=sent, filename="httpx.wacz")
assert get_upload.sync(crawlid=upload.id, oid=oid, client=client).type_ == "upload"

until(
    lambda: any(one.success for one in list_webhook_notifications.sync(oid, client=client, event="crawlFinished").items)
)
unknown = get_crawl.sync(crawl_id="none-such", oid=oid, client=client)
assert isinstance(unknown, (ErrorResponse, HTTPValidationError)) and unknown.detail
print("driven")
