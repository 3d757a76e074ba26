/** Notes about saving and conflicts. */
import { Button } from '@mantine/core'
import type { FieldName } from '../../src-shared/fields.ts'
import { formatShortly } from '../format/dates.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/patient-names.tsx'
import type { SaveState } from './autosave.ts'
import fieldInputCss from './field-input.module.css'
import { focusField, useFields } from './fields-context.ts'
import css from './save-note.module.css'

/** Whether the station has the typed input. Its space is reserved, so that nothing beside it moves. */
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
      return notSaved(messageOf(state))
  }
}

function notSaved(why: string): string {
  return t('editor:autosave.notSaved', { why })
}

/** A field that was changed elsewhere during editing: shows both values, and a person chooses. */
export function ConflictNote({ name }: { readonly name: FieldName }) {
  const conflict = useFields().conflict(name)
  const names = useNames()
  if (conflict === null) return null
  const isName = name === 'last_name' || name === 'first_name'
  const choose = (act: () => void) => () => {
    act()
    focusField(name)
  }
  return (
    <div className={fieldInputCss.conflict} role="alert">
      <p>
        {conflict.theirs === ''
          ? t('editor:conflict.cleared')
          : t('editor:conflict.changed', {
              value: isName ? names.name(conflict.theirs) : conflict.theirs,
            })}
      </p>
      <Button size="compact-sm" variant="default" onClick={choose(conflict.overwrite)}>
        {t('editor:conflict.keepMine')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={choose(conflict.takeTheirs)}>
        {t('editor:conflict.takeTheirs')}
      </Button>
    </div>
  )
}
