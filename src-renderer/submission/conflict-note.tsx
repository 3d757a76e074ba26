import { Button } from '@mantine/core'
import type { FieldName } from '../../src-shared/fields.ts'
import { useNames } from '../privacy/use-names.ts'
import { t } from '../words/t.ts'
import css from './field-input.module.css'
import { useFields } from './fields-context.ts'
import { focusField } from './focus-field.ts'

/** A field that somebody else has changed while it was typed into: both values are there, and a person chooses. */
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
    <div className={css.conflict} role="alert">
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
