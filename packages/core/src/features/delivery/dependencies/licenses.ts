import type { DependencyLicense } from './dependency.ts'

/** Identifiers of the SPDX list that packages use most. Other names have no page: lock files also contain free texts. */
const identifiers: ReadonlySet<string> = new Set(
  (
    '0BSD AGPL-3.0-only AGPL-3.0-or-later Apache-2.0 Artistic-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause BSL-1.0 CC-BY-3.0 CC-BY-4.0 ' +
    'CC0-1.0 EPL-1.0 EPL-2.0 GPL-2.0-only GPL-2.0-or-later GPL-3.0-only GPL-3.0-or-later ISC LGPL-2.1-only LGPL-2.1-or-later ' +
    'LGPL-3.0-only LGPL-3.0-or-later MIT MIT-0 MPL-2.0 PSF-2.0 Python-2.0 Ruby Unlicense WTFPL Zlib'
  ).split(' '),
)

export const toLicense = (name: string): DependencyLicense => ({
  name,
  url: identifiers.has(name) ? `https://spdx.org/licenses/${name}.html` : null,
})
