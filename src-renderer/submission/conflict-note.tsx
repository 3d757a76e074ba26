import { Button } from '@mantine/core'
import type { FieldName } from '../../src-shared/fields.ts'
import { t } from '../words/t.ts'
import css from './field-input.module.css'
import { useFields } from './fields-context.ts'
import { focusField } from './focus-field.ts'

/** A field that somebody else has changed while it was typed into: both values are there, and a person chooses. */
export function ConflictNote({ name }: { readonly name: FieldName }) {
  const conflict = useFields().conflict(name)
  if (conflict === null) return null
  const choose = (act: () => void) => () => {
    act()
    focusField(name)
  }
  return (
    <div className={css.conflict} role="alert">
      <p>
        {conflict.theirs === ''
          ? t('editor:conflict.cleared')
          : t('editor:conflict.changed', { value: conflict.theirs })}
      </p>
      <Button size="compact-sm" variant="default" onClick={choose(conflict.keepMine)}>
        {t('editor:conflict.keepMine')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={choose(conflict.takeTheirs)}>
        {t('editor:conflict.takeTheirs')}
      </Button>
    </div>
  )
}
