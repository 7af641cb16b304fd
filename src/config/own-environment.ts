/** The environment that this process was started with, for one that it starts with the same settings. */
export const ownEnvironment = (): NodeJS.ProcessEnv => process.env;
