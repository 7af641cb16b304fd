#!/usr/bin/env node
// Stands where `ssh -N -D` stands: writes down how it was called, then serves SOCKS5 on the port it was given, or fails.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';

const args = process.argv.slice(2);
const after = (flag) => args[args.indexOf(flag) + 1];
const fileOf = (name) => args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
if (args.at(-1).includes('closed')) {
  process.stderr.write('Permission denied (publickey).\n');
  process.exit(255);
}
const [host, port] = after('-D').split(':');
let connections = 0;
const note = () => {
  const key = after('-i');
  const hosts = fileOf('UserKnownHostsFile');
  writeFileSync(
    process.env.HOME + '/ssh.json',
    JSON.stringify({
      args,
      connections,
      key: readFileSync(key, 'utf8'),
      mode: statSync(key).mode & 0o777,
      hosts: readFileSync(hosts, 'utf8'),
    }),
  );
};
createServer((client) => {
  client.on('error', () => undefined);
  client.once('data', () => {
    client.write(Buffer.from([5, 0]));
    client.once('data', (request) => {
      const name = request.subarray(5, 5 + request[4]).toString();
      const target = connect(request.readUInt16BE(5 + request[4]), name, () => {
        connections += 1;
        note();
        client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
        client.pipe(target).pipe(client);
      });
      target.on('error', () => client.destroy());
      client.on('close', () => target.destroy());
    });
  });
}).listen(Number(port), host);
