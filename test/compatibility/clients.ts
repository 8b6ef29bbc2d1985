import type { Heard } from './heard.ts'

/** A program that speaks to the API, and which of the tests run it. */
export interface Client {
  readonly name: string
  /** How it takes part: the program itself, or what it sends. */
  readonly how: 'run' | 'recorded'
  sent(heard: Heard): boolean
}

const inFile = (part: string) => (heard: Heard) => heard.file.includes(`/test/${part}`)
const inTest = (part: string, test: string) => (heard: Heard) =>
  inFile(part)(heard) && (heard.test?.includes(test) ?? false)

export const clients: readonly Client[] = [
  { name: '@gitbeaker/rest', how: 'run', sent: inFile('clients/gitbeaker-') },
  { name: 'python-gitlab', how: 'run', sent: inFile('clients/python-gitlab') },
  { name: 'go-gitlab', how: 'recorded', sent: inTest('clients/recorded-requests', 'go-gitlab') },
  { name: 'ruby gitlab', how: 'recorded', sent: inTest('clients/recorded-requests', 'ruby gitlab') },
  { name: 'GitLab::API::v4', how: 'recorded', sent: inTest('clients/recorded-requests', 'GitLab::API::v4') },
  { name: 'semantic-release', how: 'run', sent: inTest('tools/', 'semantic-release') },
  { name: 'release-it', how: 'run', sent: inTest('tools/', 'release-it') },
  { name: 'danger', how: 'run', sent: inTest('tools/', 'danger') },
  { name: 'Okta', how: 'recorded', sent: inTest('clients/scim-providers', 'Okta') },
  { name: 'Entra', how: 'recorded', sent: inTest('clients/scim-providers', 'Entra') },
]
