import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import { command, query } from '../../../kernel/operation.ts'
import { PictureInput } from '../../../kernel/picture.ts'
import { type Appearance, appearancePictures } from './appearance.ts'
import { readPicture, storePictures } from './pictures.ts'
import { appearanceId, defaultAppearance, findAppearance } from './queries.ts'

const Text = (maxLength: number) => v.optional(v.pipe(v.string(), v.maxLength(maxLength)))
const Color = v.optional(v.pipe(v.string(), v.regex(/^#(?:[\da-f]{3}){1,2}$/i, 'must be a valid color code')))

export const appearances = {
  /** Gets the texts, colors and paths of pictures of the instance. */
  get: query({
    on: instance,
    can: 'appearance.manage',
    run: async (ctx): Promise<Appearance> => (await findAppearance(ctx)) ?? defaultAppearance,
  }),

  /** Gets a picture of the instance. */
  getPicture: query({
    on: instance,
    can: 'appearance.readPicture',
    input: {
      /** `logo`, `headerLogo`, `favicon` or `pwaIcon`. */
      picture: v.picklist(appearancePictures),
      /** Name of the file. */
      fileName: v.pipe(v.string(), v.maxLength(1_024)),
    },
    run: (ctx, { picture, fileName }) => readPicture(ctx, picture, fileName),
  }),

  /** Changes texts, colors and pictures of the instance; omitted fields stay unchanged. */
  update: command({
    on: instance,
    can: 'appearance.manage',
    serializes: 'instance',
    input: {
      /** Title of the sign-in page, at most 255 characters; empty for the default one. */
      title: Text(255),
      /** Text of the sign-in page, in Markdown, at most 4,096 characters. */
      description: Text(4_096),
      /** Name of the progressive web application, in `/-/manifest.json`, at most 255 characters. */
      pwaName: Text(255),
      /** Short name of the progressive web application, in `/-/manifest.json`, at most 255 characters. */
      pwaShortName: Text(255),
      /** Description of the progressive web application, in `/-/manifest.json`, at most 2,048 characters. */
      pwaDescription: Text(2_048),
      /** Picture on the sign-in page, as a file; null for none. */
      logo: PictureInput,
      /** Picture at the top of pages, as a file; null for none. */
      headerLogo: PictureInput,
      /** Icon that browsers show, as a file; null for the default one. */
      favicon: PictureInput,
      /** Icon of the progressive web application, as a file; null for none. */
      pwaIcon: PictureInput,
      /** Text of the page for a new project, in Markdown, at most 4,096 characters. Stored only: there is no such page. */
      newProjectGuidelines: Text(4_096),
      /** Text of the page for the picture of a user, in Markdown, at most 4,096 characters. Stored only: there is no such page. */
      profileImageGuidelines: Text(4_096),
      /** Text of the page of members, in Markdown, at most 4,096 characters, for users who can add some. */
      memberGuidelines: Text(4_096),
      /** Message at the top of pages, in Markdown, at most 4,096 characters. */
      headerMessage: Text(4_096),
      /** Message at the bottom of pages, in Markdown, at most 4,096 characters. */
      footerMessage: Text(4_096),
      /** Color behind the messages: `#e75e40`. */
      messageBackgroundColor: Color,
      /** Color of the messages: `#ffffff`. */
      messageFontColor: Color,
      /** Whether mails contain the messages. */
      emailHeaderAndFooterEnabled: v.optional(v.boolean()),
    },
    async run(ctx, { logo, headerLogo, favicon, pwaIcon, ...input }): Promise<Appearance> {
      const before = await findAppearance(ctx)
      const change = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
      const paths = await storePictures(ctx, { logo, headerLogo, favicon, pwaIcon })
      const after: Appearance = { ...(before ?? defaultAppearance), ...change, ...paths }
      if (before) await updateChanged(ctx, 'appearance', appearanceId, after)
      else
        await ctx.db
          .insertInto('appearance')
          .values({ ...after, id: appearanceId, updatedAt: ctx.now } satisfies CompleteRow<'appearance'>)
          .execute()
      return after
    },
  }),
}
