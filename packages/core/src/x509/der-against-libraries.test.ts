import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { AsnConvert } from '@peculiar/asn1-schema'
import { Certificate, NameConstraints } from '@peculiar/asn1-x509'
import { type BaseBlock, fromBER, Integer, OctetString, Sequence } from 'asn1js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/property-runs.ts'
import { certificateText } from './certificate-text.ts'
import { type DerElement, DerError, derChildren, derIdentifier, derInteger, readDer, tag } from './der.ts'
import { extensionText } from './extension-text.ts'
import { longName } from './object-names.ts'

/** An element of either reader: its encoding, its children, and its value where both readers decode one. */
interface Node {
  readonly encoded: string
  readonly children: readonly Node[]
  readonly value?: string
}

const decoders: ReadonlyMap<number, (element: DerElement) => string> = new Map([
  [tag.integer, (element) => String(derInteger(element))],
  [tag.objectIdentifier, derIdentifier],
])

const ours = (element: DerElement): Node => {
  const value = decoders.get(element.tag)?.(element)
  return {
    encoded: element.encoded.toString('hex'),
    children: element.tag & 0x20 ? derChildren(element).map(ours) : [],
    ...(value !== undefined && { value }),
  }
}

type Block = BaseBlock & { toBigInt?(): bigint; getValue?(): unknown; valueBlock: { value?: readonly Block[] } }

const ofLibrary = (block: Block): Node => {
  const { isConstructed, tagClass, tagNumber } = block.idBlock
  const isInteger = tagClass === 1 && tagNumber === tag.integer
  const isIdentifier = tagClass === 1 && tagNumber === tag.objectIdentifier
  return {
    encoded: Buffer.from(block.valueBeforeDecodeView).toString('hex'),
    children: isConstructed ? (block.valueBlock.value ?? []).map(ofLibrary) : [],
    ...(isInteger && { value: String(block.toBigInt?.()) }),
    ...(isIdentifier && { value: String(block.getValue?.()) }),
  }
}

const readByLibrary = (bytes: Buffer): Node => ofLibrary(fromBER(bytes, { parseEmbedded: false }).result as Block)

const certificates = rootCertificates.map((pem) => Buffer.from(new X509Certificate(pem).raw))

describe('asn1js', () => {
  test('reads the same elements of certificates', () => {
    for (const der of certificates) expect(ours(readDer(der))).toEqual(readByLibrary(der))
  })

  test('encodes elements that our reader reads', () => {
    const { block } = fc.letrec<{ block: BaseBlock }>((tie) => ({
      block: fc.oneof(
        { depthSize: 'small' },
        fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }).map((value) => Integer.fromBigInt(value)),
        fc.uint8Array({ maxLength: 70_000, size: 'max' }).map((valueHex) => new OctetString({ valueHex })),
        fc.array(tie('block'), { maxLength: 4 }).map((value) => new Sequence({ value })),
      ),
    }))
    fc.assert(
      fc.property(block, (generated) => {
        const bytes = Buffer.from(generated.toBER())
        expect(ours(readDer(bytes))).toEqual(readByLibrary(bytes))
      }),
      propertyRuns(100),
    )
  })

  // Decision 35 lists the following differences as reasons for a reader of our own.
  test('accepts a child element that ends after its parent', () => {
    const names = Buffer.from('3005870401020304', 'hex')
    expect(() => ours(readDer(names))).toThrow(DerError)
    expect(readByLibrary(names).children).toHaveLength(1)
  })

  test('does not decode the arcs of UUID object identifiers', () => {
    const uuid = Buffer.from('06136983fad890fce7d2949dd08fd1a0adfbd7a951', 'hex')
    expect(derIdentifier(readDer(uuid))).toMatch(/^2\.25\.\d{20,}$/)
    expect(readByLibrary(uuid).value).toMatch(/^2\.25\.\{[0-9a-f]+\}$/)
  })
})

describe('@peculiar/asn1-x509', () => {
  test('reads the same version, serial number and extensions of certificates', () => {
    for (const der of certificates) {
      const { version, serialNumber, extensions = [] } = AsnConvert.parse(der, Certificate).tbsCertificate
      const text = certificateText(der)
      const serial = Buffer.from(serialNumber)
        .toString('hex')
        .replace(/^0+(?=.)/, '')
      expect(text).toContain(`Version: ${version + 1} (0x${version})`)
      expect(text.replaceAll(':', '')).toContain(serial)
      const headings = Array.from(extensions, ({ extnID, critical }) => {
        return `            ${longName(extnID)}: ${critical ? 'critical' : ''}`
      })
      expect(text.split('\n').filter((line) => /^ {12}\S.*: (critical)?$/.test(line))).toEqual(headings)
    }
  })

  test('loses the octets of IP addresses and masks', () => {
    const constraints = Buffer.from('300ea00c300a87080a000000ff00ff00', 'hex')
    expect(extensionText('2.5.29.30', constraints)).toContain('IP:10.0.0.0/255.0.255.0')
    const [subtree] = AsnConvert.parse(constraints, NameConstraints).permittedSubtrees ?? []
    expect(subtree?.base.iPAddress).toBe('10.0.0.0/16')
  })
})
