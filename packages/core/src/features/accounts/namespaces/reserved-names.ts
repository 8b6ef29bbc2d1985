import type { Actor } from '../../../kernel/actor.ts'

/** First segments of addresses that the server uses itself: a group or user with such a path would be unreachable or imitate it. */
const addresses: ReadonlySet<string> = new Set(
  '- .well-known _forgelet api favicon.ico groups oauth robots.txt snippets uploads v2'.split(' '),
)

/** Further names that GitLab reserves: https://docs.gitlab.com/user/reserved_names/ */
const topLevelNames: ReadonlySet<string> = new Set(
  `admin 404.html 422.html 500.html 502.html 503.html apple-touch-icon.png assets dashboard deploy.html explore favicon.png files
  health_check help import jwt login profile projects public s search sitemap sitemap.xml sitemap.xml.gz slash-command-logo.png
  unsubscribe users`.split(/\s+/),
)

const projectNames: ReadonlySet<string> = new Set(
  `- badges blame blob builds commits create create_dir edit files find_file new preview raw refs tree update wikis`.split(
    ' ',
  ),
)

/** Whether no user or top-level group can have this path. The host application can use names that no address of the server has. */
export const isReservedTopLevel = (path: string, { kind }: Actor): boolean =>
  addresses.has(path.toLowerCase()) || (kind !== 'system' && topLevelNames.has(path.toLowerCase()))

/** Whether no project can be given this path. */
export const isReservedProject = (path: string, { kind }: Actor): boolean =>
  kind !== 'system' && projectNames.has(path.toLowerCase())
