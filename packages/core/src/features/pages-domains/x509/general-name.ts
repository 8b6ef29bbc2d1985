import { type DerElement, DerError, derChildren, derIdentifier, identifierOf, readDer, tag } from './der.ts'
import { commaName, slashName } from './distinguished-name.ts'
import { longName } from './object-names.ts'
import { printable } from './value-text.ts'

/** Kinds of names, by the number of their context tag (RFC 5280 section 4.2.1.6). */
const kind = {
  other: 0,
  email: 1,
  dns: 2,
  x400: 3,
  directory: 4,
  ediParty: 5,
  uri: 6,
  address: 7,
  registered: 8,
} as const

const constructed = (name: DerElement): boolean => (name.tag & 0x20) !== 0

const kindOf = (name: DerElement): number => name.tag & 0x1f

const otherNames: ReadonlyMap<string, string> = new Map([
  ['1.3.6.1.4.1.311.20.2.3', 'UPN'],
  ['1.3.6.1.5.5.7.8.5', 'XmppAddr'],
  ['1.3.6.1.5.5.7.8.7', 'SRVName'],
  ['1.3.6.1.5.5.7.8.8', 'NAIRealm'],
  ['1.3.6.1.5.5.7.8.9', 'SmtpUTF8Mailbox'],
])

const otherName = (name: DerElement): { identifier: string; text: string | undefined } => {
  const [type, wrapped] = derChildren(name)
  if (wrapped === undefined) throw new DerError('name has no value')
  const value = readDer(wrapped.content)
  const readable = value.tag === tag.utf8String || value.tag === tag.ia5String
  return { identifier: derIdentifier(type), text: readable ? value.content.toString('utf8') : undefined }
}

const groups = (octets: Buffer): string =>
  Array.from({ length: octets.length / 2 }, (_, index) =>
    octets
      .readUInt16BE(2 * index)
      .toString(16)
      .toUpperCase(),
  ).join(':')

/** An address as its octets say it; IPv6 in eight groups without the short form. */
export const addressText = (octets: Buffer): string => {
  if (octets.length === 4) return octets.join('.')
  return octets.length === 16 ? groups(octets) : `<invalid length=${octets.length}>`
}

const directory = (name: DerElement) => readDer(name.content)

/** `DNS:example.com`, in the form used for alternative names and everything that shares their list. */
export const generalName = (name: DerElement): string => {
  const { content } = name
  const text = content.toString('utf8')
  switch (kindOf(name)) {
    case kind.other: {
      const { identifier, text: value } = otherName(name)
      return `othername: ${otherNames.get(identifier) ?? longName(identifier)}::${value ?? '<unsupported>'}`
    }
    case kind.email:
    case kind.dns:
    case kind.uri:
      // A NUL inside has been used to make one name look like another, so such a list is not read at all.
      if (content.includes(0)) throw new DerError('name contains NUL')
      return `${{ [kind.email]: 'email', [kind.dns]: 'DNS', [kind.uri]: 'URI' }[kindOf(name)]}:${text}`
    case kind.x400:
      if (!constructed(name)) throw new DerError('name has no parts')
      return 'X400Name:<unsupported>'
    case kind.directory:
      return `DirName:${slashName(directory(name))}`
    case kind.ediParty:
      if (!constructed(name) || !derChildren(name).some((part) => part.tag === 0xa1))
        throw new DerError('party is missing')
      return 'EdiPartyName:<unsupported>'
    case kind.address:
      return `IP Address:${addressText(content)}`
    case kind.registered:
      return `Registered ID:${longName(identifierOf(content))}`
    default:
      throw new DerError('kind of name is unknown')
  }
}

/** The same in the form used for distribution points and name constraints. */
export const plainGeneralName = (name: DerElement): string => {
  const { content } = name
  switch (kindOf(name)) {
    case kind.other: {
      const { identifier, text } = otherName(name)
      const label = otherNames.get(identifier)
      return label === undefined ? 'othername:<unsupported>' : `othername:${label}:${text ?? ''}`
    }
    case kind.email:
      return `email:${printable(content)}`
    case kind.dns:
      return `DNS:${printable(content)}`
    case kind.uri:
      return `URI:${printable(content)}`
    case kind.directory:
      return `DirName:${commaName(directory(name))}`
    default:
      return generalName(name)
  }
}

/** True for the name of an address, which name constraints print with its mask. */
export const isAddress = (name: DerElement): boolean => kindOf(name) === kind.address
