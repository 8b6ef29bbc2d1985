import type { Project } from '../../../../contract/project.ts'
import { toProjectUrl } from './common.ts'

/** Addresses with a scheme or a host: `https:…`, `data:…`, `//host/…`. */
const absolutePattern = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/** The start of a fenced code block, or its end. */
const fencePattern = /^ {0,3}(`{3,}|~{3,})/

type ToAbsolute = (address: string) => string

/** Uploads, and those of wiki pages. */
const uploadPattern = /^\/?(uploads\/.*)/

/** Uploads are below the project, all other addresses below the site. */
const createToAbsolute = (site: string, project: Pick<Project, 'fullPath'>): ToAbsolute => {
  const projectUrl = toProjectUrl(site, project)
  return (address) => {
    if (address === '' || absolutePattern.test(address)) return address
    const [, upload] = uploadPattern.exec(address) ?? []
    if (upload !== undefined) return `${projectUrl}/${upload}`
    return `${site}${address.startsWith('/') ? '' : '/'}${address}`
  }
}

/** Reads each character once: what no image can follow on this line ends the line. */
const rewriteLine = (line: string, toAbsolute: ToAbsolute): string => {
  let result = ''
  let done = 0
  while (true) {
    const start = line.indexOf('![', done)
    const middle = start < 0 ? -1 : line.indexOf('](', start + 2)
    const end = middle < 0 ? -1 : line.indexOf(')', middle + 2)
    if (end < 0) return result + line.slice(done)
    result += line.slice(done, middle + 2) + toAbsolute(line.slice(middle + 2, end))
    done = end
  }
}

/**
 * Makes the addresses of images in a Markdown text absolute, because receivers of events are on other sites: `![a](/uploads/…)`.
 * Images with labels and those in code blocks stay, as in the events of GitLab. Without a known site, all stay.
 */
export const withAbsoluteImages = <T extends string | null>(
  site: string,
  project: Pick<Project, 'fullPath'>,
  text: T,
): T | string => {
  if (text === null || site === '' || !text.includes('](')) return text
  const toAbsolute = createToAbsolute(site, project)
  let fence = ''
  const lines = text.split('\n').map((line) => {
    const [, marker = ''] = fencePattern.exec(line) ?? []
    if (fence === '' && marker !== '') fence = marker
    else if (fence !== '' && marker.startsWith(fence)) fence = ''
    else if (fence === '') return rewriteLine(line, toAbsolute)
    return line
  })
  return lines.join('\n')
}
