import { uuid } from '../../../src/database/uuid-codec.js';
import { aMember } from '../../support/people.js';
import { anItem } from '../../support/archive.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

let under: AppUnderTest;
beforeAll(async () => {
  under = await startApp();
});
afterAll(() => under.close());

describe('a new name of a user', () => {
  it('is shown with the items and workflows that are the user’s, in every org, and with nobody else’s', async () => {
    const oid = await under.defaultOrgId();
    const [member, other] = [await aMember(under, oid, 20), await aMember(under, oid, 20)];
    const by = ({ id, email }: typeof member) => ({ userid: id, userName: email });
    const [crawl, upload, foreign] = [
      await anItem(under, oid, by(member)),
      await anItem(under, oid, { ...by(member), type: 'upload' }),
      await anItem(under, oid, by(other)),
    ];
    const workflows = under.connection.collection('crawl_configs');
    const names = (name: string) => ({ createdByName: name, modifiedByName: name, lastStartedByName: name });
    const user = uuid(member.id);
    const { insertedId } = await workflows.insertOne({
      oid: uuid(oid),
      createdBy: user,
      modifiedBy: uuid(other.id),
      lastStartedBy: user,
      ...names('before'),
    });

    expect((await member.api.patch('/users/me', { name: 'Renamed' })).body).toEqual({ updated: true });

    const shown = async (itemId: string) => (await member.api.get(`/orgs/${oid}/all-crawls/${itemId}`)).body.userName;
    expect(await shown(crawl)).toBe('Renamed');
    expect(await shown(upload)).toBe('Renamed');
    expect(await shown(foreign)).toBe(other.email);
    expect(await workflows.findOne({ _id: insertedId })).toMatchObject({
      ...names('Renamed'),
      modifiedByName: 'before',
    });
  });

  it('of the address leaves the names', async () => {
    const oid = await under.defaultOrgId();
    const member = await aMember(under, oid, 20);
    const itemId = await anItem(under, oid, { userid: member.id, userName: 'As it was' });
    await member.api.patch('/users/me', { email: 'moved@example.com' });
    expect((await member.api.get(`/orgs/${oid}/all-crawls/${itemId}`)).body.userName).toBe('As it was');
  });
});
