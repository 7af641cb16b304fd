import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { readOr } from '../provision/lib.mjs';

/**
 * The secrets of one data folder, made on its first start and kept in `secrets.json` and `mongod.key`, readable by
 * their owner alone.
 * @typedef {object} Secrets
 * @property {string} passwordSecret signs login tokens
 * @property {string} urlSigningKey signs links to stored files
 * @property {string} superuserPassword the first administrator's first password
 * @property {boolean} [superuserCreated] true once the service has made the administrator; the password may have been
 *   changed since
 * @property {string} mongoPassword of the database user `muniment`
 */

/** @returns {Secrets} */
export function loadSecrets(dataDir) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const text = readOr(secretsFile(dataDir), '');
  const known = text === '' ? {} : parse(text, dataDir);
  const secrets = { ...fresh(), ...known };
  if (Object.keys(secrets).some((key) => known[key] === undefined)) saveSecrets(dataDir, secrets);
  if (readOr(keyFile(dataDir), '') === '') writePrivate(keyFile(dataDir), randomBytes(512).toString('base64'));
  chmodSync(secretsFile(dataDir), 0o600);
  chmodSync(keyFile(dataDir), 0o600);
  return secrets;
}

export function saveSecrets(dataDir, secrets) {
  writePrivate(secretsFile(dataDir), `${JSON.stringify(secrets, null, 2)}\n`);
}

/** The file by which members of the database's replica set know each other; it turns access control on. */
export function keyFile(dataDir) {
  return path.join(dataDir, 'mongod.key');
}

function secretsFile(dataDir) {
  return path.join(dataDir, 'secrets.json');
}

function parse(text, dataDir) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${secretsFile(dataDir)} is damaged. Put back a copy: without it nobody can log in to this data.`);
  }
}

function fresh() {
  return {
    passwordSecret: randomBytes(32).toString('hex'),
    urlSigningKey: randomBytes(32).toString('hex'),
    superuserPassword: readablePassword(),
    mongoPassword: randomBytes(24).toString('hex'),
  };
}

/** 20 characters without look-alikes, in groups: about 97 bits, and still typed without error. */
function readablePassword() {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

/** Whole or not at all: a half-written secrets file would lock everybody out. */
function writePrivate(file, text) {
  const temporary = `${file}.${process.pid}.tmp`;
  const fd = openSync(temporary, 'w', 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, file);
}
