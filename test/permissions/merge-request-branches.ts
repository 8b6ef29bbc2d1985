import type { FakeForge } from '@forgelet/fixtures'
import { visibilities } from './matrix.ts'

const pipelineFile = 'build: { script: make, rules: [{ when: on_success }] }'

/** Branches for a merge request that can be rebased, and has pipelines. */
export const createBranches = async ({ host }: FakeForge) => {
  const author = { name: 'Writer', email: 'writer@example.com' }
  for (const visibility of visibilities) {
    const commits = ['main', 'change'].map((branch, at) => ({
      branch,
      message: branch,
      author,
      files: [
        { path: branch, content: branch },
        { path: '.gitlab-ci.yml', content: pipelineFile },
      ],
      ...(at > 0 && { parents: [0] }),
    }))
    await host.commits.import({ project: `${visibility}/code`, commits })
  }
}
