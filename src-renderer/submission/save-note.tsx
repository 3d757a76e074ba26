import { formatShortly } from '../format/instants.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'
import type { SaveState } from './save-state.ts'
import css from './save-note.module.css'

/** Whether the station has what was typed. Its room is kept, so that nothing beside it moves. */
export function SaveNote({ state }: { readonly state: SaveState }) {
  const text = saveText(state)
  return (
    <span className={css.note} data-kind={state.kind} title={text} role="status" aria-live="off">
      {text}
    </span>
  )
}

function saveText(state: SaveState): string {
  switch (state.kind) {
    case 'clean':
      return ''
    case 'saved':
      return t('editor:autosave.saved', { time: formatShortly(state.at) })
    case 'saving':
      return t('editor:autosave.saving')
    case 'unsaved':
      return t('editor:autosave.unsaved')
    case 'wrong':
      return notSaved(t('editor:autosave.wrong', { count: state.count }))
    case 'conflict':
      return notSaved(t('editor:autosave.conflict'))
    case 'failed':
      return notSaved(said(state.message))
  }
}

function notSaved(why: string): string {
  return t('editor:autosave.notSaved', { why })
}
