import { type DerElement, derChildren, derIdentifier, derInteger, tag } from './der.ts'
import { longName } from './object-names.ts'
import { integerText, untilNul } from './value-text.ts'

const practiceStatement = '1.3.6.1.5.5.7.2.1'
const userNotice = '1.3.6.1.5.5.7.2.2'

const reference = (notice: DerElement, indentation: string): string[] => {
  const [organization, numbers] = derChildren(notice)
  const texts = numbers === undefined ? [] : derChildren(numbers).map((number) => integerText(derInteger(number)))
  return [
    `${indentation}Organization: ${organization === undefined ? '' : untilNul(organization.content)}`,
    `${indentation}Number${texts.length > 1 ? 's' : ''}: ${texts.join(', ')}`,
  ]
}

const notice = (value: DerElement, indentation: string): string => {
  const parts = derChildren(value)
  const lines = parts.flatMap((part) =>
    part.tag === tag.sequence
      ? reference(part, indentation)
      : [`${indentation}Explicit Text: ${untilNul(part.content)}`],
  )
  return lines.join('\n')
}

const qualifier = (element: DerElement, indentation: string): string => {
  const [type, value] = derChildren(element)
  const identifier = derIdentifier(type)
  if (identifier === practiceStatement && value !== undefined) return `${indentation}CPS: ${untilNul(value.content)}`
  if (identifier === userNotice && value !== undefined) {
    return `${indentation}User Notice:\n${notice(value, `${indentation}  `)}`
  }
  return `${indentation}  Unknown Qualifier: ${longName(identifier)}`
}

/** Certificate policies with their qualifiers (RFC 5280 section 4.2.1.4), one below the other. */
export const policyText = (policies: DerElement, indentation: string): string =>
  derChildren(policies)
    .map((policy) => {
      const [identifier, qualifiers] = derChildren(policy)
      const heading = `${indentation}Policy: ${longName(derIdentifier(identifier))}`
      if (qualifiers === undefined) return heading
      return `${heading}\n${derChildren(qualifiers)
        .map((element) => qualifier(element, `${indentation}  `))
        .join('\n')}`
    })
    .join('\n')
