import { CommitDetailsWire } from '../../shapes/commit.ts'
import { BranchWire } from '../../shapes/repository.ts'
import { pick } from '../mutation.ts'
import type { With } from '../resolver.ts'
import type { SchemaPart } from '../schema-part.ts'

const actions = { CREATE: 'create', DELETE: 'delete', MOVE: 'move', UPDATE: 'update', CHMOD: 'chmod' } as const
const encodings = { TEXT: 'text', BASE64: 'base64' } as const

type ActionInput = With<{ action: keyof typeof actions; filePath: string; encoding?: keyof typeof encodings | null }>
type CommitInput = With<{ projectPath: string; branch: string; message: string; actions: readonly ActionInput[] }>

const toAction = (action: ActionInput) => ({
  action: actions[action.action],
  filePath: action.filePath,
  ...(action.encoding != null && { encoding: encodings[action.encoding] }),
  ...pick(action, 'content', 'previousPath', 'lastCommitId', 'executeFilemode'),
})

/** Changes of branches. */
export const commitMutationPart: SchemaPart = {
  types: `
enum CommitActionMode { CREATE DELETE MOVE UPDATE CHMOD }
enum CommitEncoding { TEXT BASE64 }
input CommitAction {
  action: CommitActionMode! filePath: String! content: String encoding: CommitEncoding previousPath: String
  lastCommitId: String executeFilemode: Boolean
}
`,
  mutations: {
    createBranch: {
      input: 'projectPath: ID! name: String! ref: String!',
      payload: 'branch: Branch',
      async run(
        { projectPath, name, ref }: With<{ projectPath: string; name: string; ref: string }>,
        { session, site },
      ) {
        const input = { project: projectPath, branch: name, ref }
        return { branch: BranchWire(await session.branches.create(input), site) }
      },
    },
    commitCreate: {
      input: 'projectPath: ID! branch: String! startBranch: String message: String! actions: [CommitAction!]!',
      payload: 'commit: Commit content: [String!]',
      async run(input: CommitInput, { session, site }) {
        const commit = await session.commits.create({
          project: input.projectPath,
          branch: input.branch,
          commitMessage: input.message,
          actions: input.actions.map(toAction),
          stats: false,
          ...pick(input, 'startBranch'),
        })
        const content = input.actions.map((action) => action.content).filter((text) => text != null)
        return { commit: CommitDetailsWire(commit, site), content }
      },
    },
  },
}
