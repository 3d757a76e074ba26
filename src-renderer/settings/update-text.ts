/** What is said of a newer version of the desktop app. Pure, but for the language. */
import type { UpdateState } from '../../src-shared/updates.ts'
import { formatInstant } from '../format/instants.ts'
import { t } from '../words/t.ts'

export type UpdateText = {
  readonly title: string
  readonly detail: string | null
  /** What went wrong, and what it means. */
  readonly trouble: string | null
}

const problemText = (problem: Extract<UpdateState, { readonly kind: 'ready' }>['trouble']): string | null =>
  problem === null ? null : t(`settings:updates.trouble.${problem}`)

export function updateText(state: UpdateState): UpdateText {
  switch (state.kind) {
    case 'off':
      return { title: t(`settings:updates.off.${state.why}`), detail: null, trouble: null }
    case 'current':
      return {
        title: t(state.lookedAt === null ? 'settings:updates.notKnown' : 'settings:updates.current'),
        detail:
          state.lookedAt === null
            ? null
            : t('settings:updates.lookedAt', { when: formatInstant(state.lookedAt) }),
        trouble: problemText(state.trouble),
      }
    case 'looking':
      return { title: t('settings:updates.looking'), detail: null, trouble: null }
    case 'fetching': {
      const { version, percent } = state
      return {
        title: t('settings:updates.fetching', { version, percent }),
        detail: t('settings:updates.workGoesOn'),
        trouble: null,
      }
    }
    case 'refused':
      return {
        title: t('settings:updates.refused', { version: state.version }),
        detail: null,
        trouble: t(`settings:updates.refusedFor.${state.why}`),
      }
    case 'ready':
      return {
        title: t('settings:updates.ready', { version: state.version }),
        detail: t(`settings:updates.waits.${state.waitsFor}`),
        trouble: problemText(state.trouble),
      }
    case 'installing':
      return {
        title: t('settings:updates.installing', { version: state.version }),
        detail: t('settings:updates.comesBack'),
        trouble: null,
      }
  }
}
