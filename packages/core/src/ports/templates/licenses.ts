import type { LicenseTemplate } from './template.ts'

/** The licenses that are offered, by their SPDX ids. */
const offered = [
  'AGPL-3.0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC0-1.0',
  'EPL-2.0',
  'GPL-2.0',
  'GPL-3.0',
  'LGPL-2.1',
  'MIT',
  'MPL-2.0',
  'Unlicense',
] as const

/** Texts and summaries of choosealicense.com, loaded on first use. */
export const loadLicenses = async (): Promise<LicenseTemplate[]> => {
  const { default: licenses } = await import('choosealicense-list/licenses.json', { with: { type: 'json' } })
  return offered.map((id) => {
    const { title, nickname, description, featured, body, conditions, permissions, limitations } = licenses[id]
    return {
      key: id.toLowerCase(),
      name: title,
      ...(nickname !== null && { nickname }),
      description,
      popular: featured,
      htmlUrl: `https://choosealicense.com/licenses/${id.toLowerCase()}/`,
      sourceUrl: `https://spdx.org/licenses/${id}.html`,
      conditions,
      permissions,
      limitations,
      content: body,
    }
  })
}
