import { invalid } from '../../../kernel/errors.ts'
import { maskOutboundUrl, type OutboundUrl, parseOutboundUrl } from '../../../network/outbound-url.ts'
import type { OutboundRules } from '../../administration/settings/outbound-rules.ts'
import type { HookSecrets } from './hook.ts'

type Variables = Readonly<Record<string, string>>

const variablePattern = /\{([a-z][a-z0-9._-]*)\}/gi

/** Whether a URL contains names of variables in braces. */
export const hasVariables = (url: string): boolean => url.search(variablePattern) >= 0

const interpolate = (template: string, variables: Variables) =>
  template.replace(variablePattern, (text, name: string) => variables[name] ?? text)

/** The URL of a hook: what is stored and shown, and the URL that requests are sent to. */
export interface HookUrl {
  /** Without user and password; with variables, the template. */
  readonly url: string
  readonly shownUrl: string
  readonly target: OutboundUrl
}

/**
 * Parses the URL of a hook, in which variables replace names in braces.
 *
 * @throws PlatformError `invalid` on `url`
 */
export const parseHookUrl = (template: string, variables: Variables, rules: OutboundRules): HookUrl => {
  const missing = [...template.matchAll(variablePattern)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in variables))
  if (missing.length) throw invalid({ url: [`has no values for the variables ${missing.join(', ')}`] })
  const result = parseOutboundUrl(interpolate(template, variables), {
    getHostError: rules.getHostError,
    schemes: ['http', 'https'],
  })
  if ('problem' in result) {
    const hint = result.refusesHost
      ? `Administrators allow the local network with the setting ${rules.setting}`
      : undefined
    throw invalid({ url: [result.problem] }, hint)
  }
  const { target } = result
  if (!hasVariables(template)) return { url: target.url, shownUrl: maskOutboundUrl(target), target }
  // The template is shown as it is, so that it must not contain secrets.
  const userInfo = /^[a-z]+:\/\/([^/?#]*)@/i.exec(template)?.[1] ?? ''
  if (userInfo.replace(variablePattern, '').replace(':', '') !== '') {
    throw invalid({ url: ['must have variables instead of user and password'] })
  }
  return { url: template, shownUrl: template, target }
}

/** The URL that requests are sent to, with the variables of the hook. Its host is checked when it is resolved. */
export const toTargetUrl = (url: string, { user, password, urlVariables }: HookSecrets): OutboundUrl => {
  if (!hasVariables(url)) return { url, user, password }
  const result = parseOutboundUrl(interpolate(url, urlVariables), {
    getHostError: () => undefined,
    schemes: ['http', 'https'],
  })
  if ('problem' in result) throw new Error(`The URL ${result.problem}`)
  return result.target
}
