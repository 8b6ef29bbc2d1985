import { expect, test } from 'vitest'
import { withAbsoluteImages } from './payloads/absolute-images.ts'

const site = 'https://forge.example.com'
const upload = '/uploads/c1f8d0cbb2e2e8c8f4f0c4a3a7a2b1d0/logo.png'
const absolute = `${site}/acme/web${upload}`
const rewrite = (text: string, url = site) => withAbsoluteImages(url, { fullPath: 'acme/web' }, text)

test.each([
  ['an upload', `![logo](${upload})`, `![logo](${absolute})`],
  ['several in a line', `a ![](${upload}) b ![c](${upload}) d`, `a ![](${absolute}) b ![c](${absolute}) d`],
  ['a size and a title', `![a](${upload} "b"){width=1}`, `![a](${absolute} "b"){width=1}`],
  ['an upload of a wiki page', `![a](${upload.slice(1)})`, `![a](${absolute})`],
  ['another address', '![a](/b.png) ![c](d.png)', `![a](${site}/b.png) ![c](${site}/d.png)`],
  ['absolute addresses', '![a](https://b.example/c) ![d](//e/f) ![g](data:x)', undefined],
  ['a link', `[file](${upload})`, undefined],
  ['a label', `![a][b]\n\n[b]: ${upload}`, undefined],
  ['a code block', `\`\`\`\n![a](${upload})\n\`\`\`\n`, undefined],
  ['a longer fence', `~~~~\n~~~\n![a](${upload})\n~~~~`, undefined],
  ['what is not complete', `![a](${upload}\n) ![b ](`, undefined],
  ['text after a code block', `\`\`\`\nx\n\`\`\`\n![a](${upload})`, `\`\`\`\nx\n\`\`\`\n![a](${absolute})`],
])('images in payloads: %s', (_name, text, expected) => {
  expect(rewrite(text)).toBe(expected ?? text)
})

test('without a known site, addresses stay relative', () => {
  expect(rewrite(`![a](${upload})`, '')).toBe(`![a](${upload})`)
  expect(withAbsoluteImages(site, { fullPath: 'acme/web' }, null)).toBeNull()
})

test('long texts are read in linear time', () => {
  for (const part of ['![', '![](', '](', '![a](b)', '![a](', '```']) {
    const text = part.repeat(1_000_000 / part.length)
    expect(rewrite(text).length).toBeGreaterThanOrEqual(text.length)
  }
})
