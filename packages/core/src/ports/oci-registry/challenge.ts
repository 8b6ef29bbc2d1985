/** A challenge of the `WWW-Authenticate` header (RFC 9110, section 11.6.1). */
export type Challenge =
  | { readonly scheme: 'basic' }
  | {
      readonly scheme: 'bearer'
      /** The URL of the token server. */
      readonly realm: string
      readonly service?: string | undefined
      readonly scope?: string | undefined
    }

const maximumHeaderLength = 4_096

/** Parses a `WWW-Authenticate` header; `undefined` for an unknown scheme. */
export const parseChallenge = (header: string | null): Challenge | undefined => {
  if (header === null || header.length > maximumHeaderLength) return undefined
  const [scheme = '', rest = ''] = [header.split(' ', 1)[0]?.toLowerCase(), header.slice(header.indexOf(' ') + 1)]
  if (scheme === 'basic') return { scheme: 'basic' }
  if (scheme !== 'bearer') return undefined
  const fields = new Map(
    Array.from(rest.matchAll(/([a-z_]+)="([^"]*)"/gi), ([, name, value]) => [name?.toLowerCase(), value] as const),
  )
  const realm = fields.get('realm')
  if (realm === undefined || !URL.canParse(realm)) return undefined
  return { scheme: 'bearer', realm, service: fields.get('service'), scope: fields.get('scope') }
}
