import { cachedQuery } from '../../../kernel/prepared-query.ts'
import { chain, type Handle, type MaybePromise } from '../../../kernel/store.ts'
import { keysOf } from '../../../shared/keys-of.ts'
import type { Appearance } from './appearance.ts'

export const appearanceId = 1

export const defaultAppearance: Appearance = {
  title: '',
  description: '',
  pwaName: '',
  pwaShortName: '',
  pwaDescription: '',
  logo: null,
  headerLogo: null,
  favicon: null,
  pwaIcon: null,
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

const appearanceRows = cachedQuery((db, _: object) =>
  db.selectFrom('appearance').where('id', '=', appearanceId).select(columns),
)

/** The texts and colors that were set; undefined if none were. */
export const findAppearance = (handle: Handle): MaybePromise<Appearance | undefined> =>
  chain(appearanceRows(handle, {}), ([row]) => row && { ...row })
