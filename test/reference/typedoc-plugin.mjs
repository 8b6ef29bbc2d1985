import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Comment, CommentTag, Converter, ReflectionKind } from 'typedoc'

/** Names the modules of the TypeDoc pages after the packages, and groups types by the feature that declares them. */

const packages = join(import.meta.dirname, '..', '..', 'packages')

/** `features/collaboration/merge-requests/…` → `Merge requests`; the other folders of core have no category. */
const readFeature = (path) => {
  const folder = /src\/features\/[\w-]+\/([\w-]+)\//.exec(path)?.[1]
  return folder?.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())
}

const features = new Map(
  globSync('core/src/features/**/*.ts', { cwd: packages, exclude: ['**/*.test.ts'] }).flatMap((path) =>
    [...readFileSync(join(packages, path), 'utf8').matchAll(/^export (?:interface|type|const|function) (\w+)/gm)].map(
      ([, name]) => [name, readFeature(path)],
    ),
  ),
)

/** `core/dist/seed` → `@forgelet/core/seed`; `core/dist` is the main entry point. */
const toPackageName = (name) => `@forgelet/${name.replace('/dist', '').replace(/\/index$/, '')}`

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getChildrenByKind(ReflectionKind.Module)) module.name = toPackageName(module.name)
    for (const reflection of Object.values(project.reflections)) {
      const feature = reflection.parent?.kindOf(ReflectionKind.Module) ? features.get(reflection.name) : undefined
      if (feature === undefined) continue
      reflection.comment ??= new Comment()
      reflection.comment.blockTags.push(new CommentTag('@category', [{ kind: 'text', text: feature }]))
    }
  })
}
