import type { Context } from '../../../kernel/context.ts'
import { keysOf } from '../../../shared/keys-of.ts'
import type { Appearance } from './appearance.ts'

export const appearanceId = 1

export const defaultAppearance: Appearance = {
  title: '',
  description: '',
  pwaName: '',
  pwaShortName: '',
  pwaDescription: '',
  newProjectGuidelines: '',
  profileImageGuidelines: '',
  memberGuidelines: '',
  headerMessage: '',
  footerMessage: '',
  messageBackgroundColor: '#e75e40',
  messageFontColor: '#ffffff',
  emailHeaderAndFooterEnabled: false,
}

const columns = keysOf(defaultAppearance)

export const findAppearance = (ctx: Pick<Context, 'db'>): Promise<Appearance | undefined> =>
  ctx.db.selectFrom('appearance').where('id', '=', appearanceId).select(columns).executeTakeFirst()
