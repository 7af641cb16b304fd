/**
 * Asks a mongod whether it is primary without the driver, whose loading takes longer than the answer. Wire format: MongoDB Wire
 * Protocol, OP_MSG; BSON 1.1.
 */
import net from 'node:net';

const OP_MSG = 2013;
const TIMEOUT_MS = 2_000;
const HEADER_BYTES = 16;

/**
 * @param {number} port on loopback
 * @returns {Promise<boolean>} whether it takes writes
 * @throws {Error} when there is no answer
 */
export function isPrimary(port) {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = net.connect({ port, host: '127.0.0.1' }, () => socket.write(request()));
    const end = (settle, value) => {
      socket.destroy();
      settle(value);
    };
    socket.setTimeout(TIMEOUT_MS, () => end(reject, new Error('mongod does not answer')));
    socket.on('error', (error) => end(reject, error));
    socket.on('close', () => reject(new Error('mongod closed the connection')));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < HEADER_BYTES || received.length < received.readInt32LE(0)) return;
      end(resolve, received.includes(Buffer.from('\x08isWritablePrimary\0\x01', 'latin1')));
    });
  });
}

/** `{ hello: 1, $db: "admin" }` */
function request() {
  const elements = Buffer.concat([
    Buffer.from('\x10hello\0', 'latin1'),
    int32(1),
    Buffer.from('\x02$db\0', 'latin1'),
    int32('admin'.length + 1),
    Buffer.from('admin\0\0', 'latin1'), // the string, and the end of the document
  ]);
  const body = Buffer.concat([int32(0), Buffer.from([0]), int32(elements.length + 4), elements]);
  return Buffer.concat([int32(HEADER_BYTES + body.length), int32(1), int32(0), int32(OP_MSG), body]);
}

function int32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
