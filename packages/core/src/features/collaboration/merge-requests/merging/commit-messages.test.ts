import { describe, expect, test } from 'vitest'
import type { RepositoryCommit } from '../../../code/repository/repository.ts'
import { createMergeMessage, createSquashMessage, type MessageInput } from './commit-messages.ts'

const commit = (message: string, authorName = 'Zoë', parentIds = ['b']): RepositoryCommit => ({
  id: 'a',
  projectPath: 'acme/web',
  shortId: 'a',
  title: message.split('\n')[0] as string,
  message,
  parentIds,
  authorName,
  authorEmail: `${authorName.toLowerCase()}@example.com`,
  authoredDate: '2026-01-01T00:00:00Z',
  committerName: authorName,
  committerEmail: 'x@example.com',
  committedDate: '2026-01-01T00:00:00Z',
  createdAt: '2026-01-01T00:00:00Z',
  trailers: {},
  extendedTrailers: {},
})

const bob = { name: 'Bob', email: 'bob@example.com' }
const input: MessageInput = {
  mergeRequest: { iid: 7, title: 'A topic', description: null, sourceBranch: 'topic', targetBranch: 'main' },
  projectPath: 'acme/web',
  siteUrl: 'https://forge.example',
  commits: [commit('One'), commit('Merge', 'Bob', ['b', 'c']), commit('Two\n\nWith reasons.\n', 'Bob')],
  closedIssues: [],
  author: bob,
  mergedBy: { name: 'Alice', email: 'alice@example.com' },
  reviewers: [],
  approvers: [{ name: 'Carol', email: 'carol@example.com' }],
}

describe('the default message', () => {
  test('of a merge has a paragraph for the closed issues, if there are any', () => {
    const start = "Merge branch 'topic' into 'main'\n\nA topic\n\n"
    expect(createMergeMessage(null, input)).toBe(`${start}See merge request acme/web!7`)
    const closing = (...closedIssues: string[]) => createMergeMessage(null, { ...input, closedIssues })
    expect(closing('#1')).toBe(`${start}Closes #1\n\nSee merge request acme/web!7`)
    expect(closing('#1', 'a/b#2')).toContain('Closes #1 and a/b#2\n')
    expect(closing('#1', '#2', '#3')).toContain('Closes #1, #2, and #3\n')
  })

  test('of a squash is the title', () => {
    expect(createSquashMessage(null, input)).toBe('A topic')
    expect(createSquashMessage('', input)).toBe('A topic')
  })
})

test.each([
  ['%{source_branch} %{target_branch} %{project_path}', 'topic main acme/web'],
  ['%{reference} %{local_reference} %{url}', 'acme/web!7 !7 https://forge.example/acme/web/-/merge_requests/7'],
  ['%{first_commit}', 'One'],
  ['%{first_multiline_commit}', 'Two\n\nWith reasons.'],
  ['%{first_multiline_commit_description}', 'With reasons.'],
  ['%{all_commits}', '* One\n\n* Two\n\nWith reasons.'],
  ['%{co_authored_by}', 'Co-authored-by: Zoë <zoë@example.com>'],
  ['%{merged_by}, %{merge_request_author}', 'Alice <alice@example.com>, Bob <bob@example.com>'],
  ['%{title}\n\n%{reviewed_by}\n%{approved_by}', 'A topic\n\nApproved-by: Carol <carol@example.com>'],
  ['%{title}\n\n%{description}\n\nEnd', 'A topic\n\nEnd'],
  ['%{title}\r\n\r\nEnd', 'A topic\n\nEnd'],
])('the template %j', (template, message) => {
  expect(createMergeMessage(template, input)).toBe(message)
})

describe('hostile templates and titles', () => {
  test.each([
    ['%{unknown} %{constructor} %{__proto__}', '%{unknown} %{constructor} %{__proto__}'],
    ['%{%{title}}', '%{A topic}'],
    ['%{description}', 'A topic'],
    ['\n \n', 'A topic'],
    ['a\0b', 'ab'],
    ['$& $1 %s', '$& $1 %s'],
  ])('%j', (template, message) => {
    expect(createMergeMessage(template, input)).toBe(message)
  })

  test('variables are not expanded again, and replacement patterns have no meaning', () => {
    const mergeRequest = { ...input.mergeRequest, title: '%{source_branch} $& $1' }
    expect(createMergeMessage('%{title}', { ...input, mergeRequest })).toBe('%{source_branch} $& $1')
  })

  test('a long template takes linear time, and at most 100 commits are included', () => {
    const commits = Array.from({ length: 1_000 }, (_, at) => commit(`c${at}`))
    expect(createSquashMessage('%{all_commits}', { ...input, commits }).split('\n\n')).toHaveLength(100)
    expect(createMergeMessage('%{'.repeat(50_000), input)).toHaveLength(100_000)
  })
})
