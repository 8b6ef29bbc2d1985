import { CommitDetailsWire } from '../../shapes/commit.ts'
import { BranchWire } from '../../shapes/repository.ts'
import { pick } from '../mutation.ts'
import type { Arguments } from '../resolver.ts'
import type { SchemaPart } from '../schema-part.ts'

const toAction = (action: Arguments) => ({
  action: String(action.action).toLowerCase() as 'create',
  filePath: action.filePath as string,
  ...(action.encoding != null && { encoding: String(action.encoding).toLowerCase() as 'text' }),
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
      async run({ projectPath, name, ref }, { session, site }) {
        const input = { project: projectPath as string, branch: name as string, ref: ref as string }
        return { branch: BranchWire(await session.branches.create(input), site) }
      },
    },
    commitCreate: {
      input: 'projectPath: ID! branch: String! startBranch: String message: String! actions: [CommitAction!]!',
      payload: 'commit: Commit content: [String!]',
      async run(input, { session, site }) {
        const actions = input.actions as readonly Arguments[]
        const commit = await session.commits.create({
          project: input.projectPath as string,
          branch: input.branch as string,
          commitMessage: input.message as string,
          actions: actions.map(toAction),
          stats: false,
          ...pick(input, 'startBranch'),
        })
        const content = actions.map((action) => action.content).filter((text) => text != null)
        return { commit: CommitDetailsWire(commit, site), content }
      },
    },
  },
}
