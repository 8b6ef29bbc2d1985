import type { RecordedRequest } from './request-recorder.ts'

/** A client of the API, and the tests that run it. */
export interface Client {
  readonly name: string
  /** `run`: the program itself runs; `recorded`: the test sends the requests that the program sends. */
  readonly mode: 'run' | 'recorded'
  hasSent(request: RecordedRequest): boolean
}

const inFile = (part: string) => (request: RecordedRequest) => request.file.includes(`/test/${part}`)
const inTest = (part: string, test: string) => (request: RecordedRequest) =>
  inFile(part)(request) && (request.test?.includes(test) ?? false)

export const clients: readonly Client[] = [
  { name: '@gitbeaker/rest', mode: 'run', hasSent: inFile('clients/gitbeaker-') },
  { name: 'python-gitlab', mode: 'run', hasSent: inFile('clients/python-gitlab') },
  { name: 'go-gitlab', mode: 'recorded', hasSent: inTest('clients/recorded-requests', 'go-gitlab') },
  { name: 'ruby gitlab', mode: 'recorded', hasSent: inTest('clients/recorded-requests', 'ruby gitlab') },
  { name: 'GitLab::API::v4', mode: 'recorded', hasSent: inTest('clients/recorded-requests', 'GitLab::API::v4') },
  { name: 'semantic-release', mode: 'run', hasSent: inTest('tools/', 'semantic-release') },
  { name: 'release-it', mode: 'run', hasSent: inTest('tools/', 'release-it') },
  { name: 'changesets', mode: 'run', hasSent: inTest('tools/', 'changesets') },
  { name: 'gitlab-ci-local', mode: 'run', hasSent: inTest('tools/', 'gitlab-ci-local') },
  { name: 'renovate', mode: 'run', hasSent: inFile('tools/renovate') },
  { name: 'Backstage', mode: 'run', hasSent: inFile('tools/backstage') },
  { name: 'danger', mode: 'run', hasSent: inTest('tools/', 'danger') },
  { name: 'Okta', mode: 'recorded', hasSent: inTest('clients/scim-providers', 'Okta') },
  { name: 'Entra', mode: 'recorded', hasSent: inTest('clients/scim-providers', 'Entra') },
]
