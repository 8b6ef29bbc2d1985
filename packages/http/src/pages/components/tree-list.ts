import type { Page } from '@forgelet/core'
import type { TreeEntry } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { pagination } from './pagination.ts'
import { fileUrl } from './project-page.ts'

const kinds = { tree: 'Directory', blob: 'File', commit: 'Submodule' } as const

/** Links to the directories above a file or a directory. */
export const pathLinks = (
  ctx: PageContext,
  project: string,
  { ref, path }: { readonly ref: string; readonly path: string },
): Html => {
  const segments = path === '' ? [] : path.split('/')
  return html`<p class="path"><a href="${fileUrl(ctx, project, { kind: 'tree', ref, path: '' })}">${ref}</a>${segments.map(
    (segment, index) => {
      const isLast = index === segments.length - 1
      const above = segments.slice(0, index + 1).join('/')
      return html` / ${isLast ? segment : html`<a href="${fileUrl(ctx, project, { kind: 'tree', ref, path: above })}">${segment}</a>`}`
    },
  )}</p>`
}

/** The entries of a directory. */
export const treeList = (
  ctx: PageContext,
  project: string,
  { ref, path, tree }: { readonly ref: string; readonly path: string; readonly tree: Page<TreeEntry> },
): Html => {
  const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
  return html`<ul class="tree">
${path !== '' && html`<li class="entry-tree"><a href="${fileUrl(ctx, project, { kind: 'tree', ref, path: parent })}" aria-label="Parent directory">..</a></li>`}
${tree.items.map(
  (entry) =>
    html`<li class="entry-${entry.type}"><span class="visually-hidden">${kinds[entry.type]}: </span>${
      entry.type === 'commit'
        ? html`${entry.name} <span class="muted">submodule at ${entry.id.slice(0, 8)}</span>`
        : html`<a href="${fileUrl(ctx, project, { kind: entry.type, ref, path: entry.path })}">${entry.name}${entry.type === 'tree' && '/'}</a>`
    }</li>`,
)}
</ul>${pagination(ctx, tree)}`
}
