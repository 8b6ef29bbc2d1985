import { type DerElement, derChildren, derIdentifier, derInteger, derSequence, tag } from './der.ts'
import { longName } from './object-names.ts'
import { integerText, untilNul } from './value-text.ts'

const practiceStatementId = '1.3.6.1.5.5.7.2.1'
const userNoticeId = '1.3.6.1.5.5.7.2.2'

const noticeReference = (reference: DerElement, indentation: string): string[] => {
  const [organization, numbers] = derChildren(reference)
  const texts = numbers === undefined ? [] : derChildren(numbers).map((number) => integerText(derInteger(number)))
  return [
    `${indentation}Organization: ${organization === undefined ? '' : untilNul(organization.content)}`,
    `${indentation}Number${texts.length > 1 ? 's' : ''}: ${texts.join(', ')}`,
  ]
}

const userNotice = (notice: DerElement, indentation: string): string => {
  const lines = derChildren(notice).flatMap((part) =>
    part.tag === tag.sequence
      ? noticeReference(part, indentation)
      : [`${indentation}Explicit Text: ${untilNul(part.content)}`],
  )
  return lines.join('\n')
}

const policyQualifier = (element: DerElement, indentation: string): string => {
  const [type, value] = derChildren(element)
  const identifier = derIdentifier(type)
  if (identifier === practiceStatementId && value !== undefined) return `${indentation}CPS: ${untilNul(value.content)}`
  if (identifier === userNoticeId && value !== undefined) {
    return `${indentation}User Notice:\n${userNotice(value, `${indentation}  `)}`
  }
  return `${indentation}  Unknown Qualifier: ${longName(identifier)}`
}

/** Certificate policies with their qualifiers (RFC 5280 section 4.2.1.4), one per line. */
export const policyText = (policies: DerElement, indentation: string): string =>
  derSequence(policies)
    .map((policy) => {
      const [identifier, qualifiers] = derChildren(policy)
      const heading = `${indentation}Policy: ${longName(derIdentifier(identifier))}`
      if (qualifiers === undefined) return heading
      return `${heading}\n${derChildren(qualifiers)
        .map((element) => policyQualifier(element, `${indentation}  `))
        .join('\n')}`
    })
    .join('\n')
