/** Code with tests that must detect small changes. */
export interface Area {
  /** The changed files, as glob patterns from the root. */
  readonly mutate: readonly string[]
  /** The tests that have to detect the changes, as glob patterns from the root. */
  readonly tests: readonly string[]
}

const core = 'packages/core/src'
const scim = `${core}/features/spaces/scim`

/** Every area by its name for `pnpm test:mutation <name>`. */
export const areas: Readonly<Record<string, Area>> = {
  policy: {
    mutate: [`${core}/policy.ts`, `${core}/policy/*.ts`, `!${core}/policy/*.test.ts`],
    tests: ['test/policy-matrix.test.ts', `${core}/policy/*.test.ts`, `${core}/platform.test.ts`],
  },
  predicates: {
    mutate: [`${core}/access/predicates.ts`],
    tests: ['test/predicates/*.test.ts'],
  },
  executor: {
    mutate: [`${core}/executor.ts`],
    tests: [`${core}/executor.test.ts`, `${core}/platform.test.ts`],
  },
  scim: {
    mutate: [`${scim}/*.ts`, `!${scim}/*.test.ts`],
    tests: [`${scim}/*.test.ts`, 'test/contract/scim.test.ts', 'test/permissions/scim.test.ts'],
  },
  'mirror-addresses': {
    mutate: [`${core}/network/outbound-url.ts`, `${core}/network/{host-check,ip-addresses}.ts`],
    tests: [`${core}/network/outbound-url.test.ts`, `${core}/network/*.test.ts`],
  },
}
