import { askLogin, call, keepLogin, logIn } from './session.js';

/** Where the links of mails lead: a forgotten password, an address to be verified, an invite to a new or a known person. */
const form = document.getElementById('form');
const query = new URLSearchParams(location.search);
const lastSegment = location.pathname.split('/').filter(Boolean).at(-1);

const say = (id, text) => (document.getElementById(id).textContent = text);

function present(title, text = '') {
  document.title = `${title} · Muniment`;
  say('title', title);
  say('text', text);
}

function end(title, text, { label = 'Go to Muniment', href = '/' } = {}) {
  form.hidden = true;
  document.getElementById('login').hidden = true;
  present(title, text);
  const next = document.getElementById('next');
  next.hidden = false;
  Object.assign(next.firstElementChild, { textContent: label, href });
}

/** What the codes of the API mean to whoever fills in a form. */
const PROBLEMS = {
  invalid_password: 'Choose a password of 8 to 64 characters.',
  reset_password_bad_token: 'This link has been used already, or it is too old. Ask for a new one.',
  verify_user_bad_token: 'This link has been used already, or it is too old.',
  verify_user_already_verified: 'The address is verified already.',
  invalid_invite: 'This invite is not valid any more. Ask whoever sent it for a new one.',
  user_already_is_org_member: 'You are a member of the organization already.',
  duplicate_org_name: 'There is an organization of this name already. Choose another one.',
};

const problemOf = ({ status, body }) => {
  const { detail } = body ?? {};
  const code = typeof detail === 'object' && detail !== null && !Array.isArray(detail) ? detail.code : detail;
  if (Array.isArray(detail)) return detail[0]?.msg ?? 'Something in the form is wrong.';
  return PROBLEMS[code] ?? `The service answered ${status}${typeof code === 'string' ? `: ${code}` : ''}.`;
};

/** Shows the form with these fields; `send` throws what the person is to read. */
function ask(label, fields, values, send) {
  for (const row of form.querySelectorAll('[data-field]')) {
    const isAsked = fields.includes(row.dataset.field);
    row.hidden = !isAsked;
    const input = row.querySelector('input');
    input.disabled = !isAsked;
    input.value = values[row.dataset.field] ?? input.value;
    input.readOnly = row.dataset.field in values;
  }
  form.querySelector('button').textContent = label;
  form.hidden = false;
  form.querySelector('input:not(:disabled):not([readonly])')?.focus();
  form.onsubmit = async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    const error = form.querySelector('.error');
    error.textContent = '';
    button.disabled = true;
    try {
      await send(Object.fromEntries(new FormData(form)));
    } catch (problem) {
      error.textContent = problem instanceof TypeError ? 'The service cannot be reached.' : problem.message;
    } finally {
      button.disabled = false;
    }
  };
}

async function must(answering) {
  const answer = await answering;
  if (answer.status >= 400) throw new Error(problemOf(answer));
  return answer.body;
}

function forgot() {
  present('Forgotten password', 'We send a link to this address, with which you choose a new password.');
  ask('Send the link', ['email'], {}, async ({ email }) => {
    await must(call('POST', '/auth/forgot-password', { email }));
    end('Look into your mail', `If ${email} has an account here, a link is on its way to it.`);
  });
}

function reset() {
  present('Choose a new password');
  ask('Change the password', ['password'], {}, async ({ password }) => {
    await must(call('POST', '/auth/reset-password', { token: query.get('token') ?? '', password }));
    end('Your password is changed', 'Log in with it from now on.', { label: 'Log in' });
  });
}

async function verify() {
  present('Verifying your address …');
  const answer = await call('POST', '/auth/verify', { token: query.get('token') ?? '' });
  if (answer.status >= 400) end('Not verified', problemOf(answer));
  else end('Your address is verified', 'Thank you.');
}

const inviteText = ({ orgName, inviterName, inviterEmail, firstOrgAdmin }) => {
  if (firstOrgAdmin) return 'You will be the first administrator of your organization.';
  const by = inviterName ? ` by ${inviterName}${inviterEmail ? ` (${inviterEmail})` : ''}` : '';
  return `You are invited${by} to join ${orgName ?? 'an organization'}.`;
};

/** The first administrator names the org; its address in links is made of the name. */
async function nameOrg({ oid }, name, login) {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  await must(call('POST', `/orgs/${oid}/rename`, slug ? { name, slug } : { name }, login));
}

async function join() {
  const email = query.get('email') ?? '';
  present('Join Muniment');
  const found = await call('GET', `/users/invite/${lastSegment}?${new URLSearchParams({ email })}`);
  if (found.status >= 400) return end('No such invite', problemOf(found));
  present('Join Muniment', inviteText(found.body));
  const fields = found.body.firstOrgAdmin ? ['email', 'name', 'orgName', 'password'] : ['email', 'name', 'password'];
  ask('Create my account', fields, { email }, async ({ name, password, orgName }) => {
    const account = { email, name, password, inviteToken: lastSegment, newOrg: false };
    const made = await call('POST', '/auth/register', account);
    const detail = made.body?.detail;
    // With the password of the account that there is, the API adds that one to the organization.
    if (detail === 'invalid_current_password' || detail === 'user_already_is_org_member')
      return end('You have an account already', 'Log in with it to accept the invite.', {
        label: 'Log in and accept',
        href: `/invite/accept/${lastSegment}`,
      });
    await must(Promise.resolve(made));
    const { login, problem } = await logIn(email, password);
    if (problem) return end('Your account is there', 'Log in with it.', { label: 'Log in' });
    keepLogin(login);
    if (found.body.firstOrgAdmin) await nameOrg(found.body, orgName, login).catch(() => undefined);
    location.assign('/');
  });
}

function accept() {
  present('Accept an invite', 'Log in with the account that was invited.');
  askLogin(document.getElementById('login'), async (login) => {
    const found = await call('GET', `/users/me/invite/${lastSegment}`, undefined, login);
    if (found.status >= 400) return end('No such invite', problemOf(found));
    present('Accept an invite', inviteText(found.body));
    ask('Accept', [], {}, async () => {
      const { org } = await must(call('POST', `/orgs/invite-accept/${lastSegment}`, undefined, login));
      keepLogin(login);
      end(`Welcome to ${org.name}`, 'You are a member now.');
    });
  });
}

const PAGES = { 'forgot-password': forgot, 'reset-password': reset, verify, join, invite: accept };
const start = PAGES[location.pathname.split('/')[1]];
Promise.resolve(start()).catch(() =>
  end('Something went wrong', 'The service cannot be reached. Try again in a moment.'),
);
