import { type DerElement, DerError, derChildren, derIdentifier, readDer, retagged, tag } from './der.ts'
import { commaName, slashName } from './distinguished-name.ts'
import { longName } from './object-names.ts'
import { printable } from './value-text.ts'

/** Numbers of the context tags of a general name (RFC 5280 section 4.2.1.6). */
const kind = {
  other: 0,
  email: 1,
  dns: 2,
  x400: 3,
  directory: 4,
  ediParty: 5,
  uri: 6,
  ipAddress: 7,
  registeredId: 8,
} as const

const isConstructed = (name: DerElement): boolean => (name.tag & 0x20) !== 0

const kindOf = (name: DerElement): number => name.tag & 0x1f

/** Labels of the kinds that have a text value. */
const labels: Readonly<Record<number, string>> = { [kind.email]: 'email', [kind.dns]: 'DNS', [kind.uri]: 'URI' }

const otherNameLabels: ReadonlyMap<string, string> = new Map([
  ['1.3.6.1.4.1.311.20.2.3', 'UPN'],
  ['1.3.6.1.5.5.7.8.5', 'XmppAddr'],
  ['1.3.6.1.5.5.7.8.7', 'SRVName'],
  ['1.3.6.1.5.5.7.8.8', 'NAIRealm'],
  ['1.3.6.1.5.5.7.8.9', 'SmtpUTF8Mailbox'],
])

const readOtherName = (name: DerElement): { identifier: string; text: string | undefined } => {
  const [type, wrapped] = derChildren(name)
  if (wrapped === undefined) throw new DerError('name has no value')
  const value = readDer(wrapped.content)
  const isText = value.tag === tag.utf8String || value.tag === tag.ia5String
  return { identifier: derIdentifier(type), text: isText ? value.content.toString('utf8') : undefined }
}

/** IPv6 addresses appear as eight groups, never abbreviated with `::`. */
export const ipAddressText = (octets: Buffer): string => {
  if (octets.length === 4) return octets.join('.')
  if (octets.length !== 16) return `<invalid length=${octets.length}>`
  return Array.from({ length: 8 }, (_, group) =>
    octets
      .readUInt16BE(2 * group)
      .toString(16)
      .toUpperCase(),
  ).join(':')
}

/** `DNS:example.com`: the form in alternative names, key identifiers and information access. */
export const generalName = (name: DerElement): string => {
  const { content } = name
  switch (kindOf(name)) {
    case kind.other: {
      const { identifier, text } = readOtherName(name)
      return `othername: ${otherNameLabels.get(identifier) ?? longName(identifier)}::${text ?? '<unsupported>'}`
    }
    case kind.email:
    case kind.dns:
    case kind.uri:
      // A NUL can make one name look like another; the extension is printed as raw bytes.
      if (content.includes(0)) throw new DerError('name contains NUL')
      return `${labels[kindOf(name)]}:${content.toString('utf8')}`
    case kind.x400:
      if (!isConstructed(name)) throw new DerError('name has no parts')
      return 'X400Name:<unsupported>'
    case kind.directory:
      return `DirName:${slashName(readDer(content))}`
    case kind.ediParty:
      if (!isConstructed(name) || !derChildren(name).some((part) => part.tag === 0xa1))
        throw new DerError('party is missing')
      return 'EdiPartyName:<unsupported>'
    case kind.ipAddress:
      return `IP Address:${ipAddressText(content)}`
    case kind.registeredId:
      return `Registered ID:${longName(derIdentifier(retagged(name, tag.objectIdentifier)))}`
    default:
      throw new DerError('kind of name is unknown')
  }
}

/** The form in distribution points and name constraints. */
export const plainGeneralName = (name: DerElement): string => {
  switch (kindOf(name)) {
    case kind.other: {
      const { identifier, text } = readOtherName(name)
      const label = otherNameLabels.get(identifier)
      return label === undefined ? 'othername:<unsupported>' : `othername:${label}:${text ?? ''}`
    }
    case kind.email:
    case kind.dns:
    case kind.uri:
      return `${labels[kindOf(name)]}:${printable(name.content)}`
    case kind.directory:
      return `DirName:${commaName(readDer(name.content))}`
    default:
      return generalName(name)
  }
}

/** True for an IP address, which name constraints combine with a mask. */
export const isIpAddress = (name: DerElement): boolean => kindOf(name) === kind.ipAddress
