/** A backup, a restore or a verification that is not begun, or not gone on with. The message is for an administrator. */
export class BackupRefused extends Error {}

/** What is stored of a backup differs from what was written. */
export class BackupTorn extends Error {}
