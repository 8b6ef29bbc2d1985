import { assertNodeVersion } from './node-version.ts'

/**
 * The first import of each entry: other modules use functions that an unsupported Node.js does not have, and would fail without
 * a reason.
 */
assertNodeVersion()
