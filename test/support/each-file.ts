const registrations: (() => void)[] = []

/**
 * Runs a function for every test file of this process, for example to register hooks. The files of a process share their
 * modules, so a hook at the top level of a support module would run for the first file only.
 */
export const onEachFile = (register: () => void): void => {
  registrations.push(register)
  register()
}

/** Called by `test/setup.ts` before each file. */
export const startFile = (): void => {
  for (const register of registrations) register()
}
