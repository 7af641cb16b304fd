/** The contract's `UserRole`. */
export const USER_ROLES = [10, 20, 40, 100] as const;
export type UserRole = (typeof USER_ROLES)[number];
