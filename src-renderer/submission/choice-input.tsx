import { SegmentedControl } from '@mantine/core'
import type { FieldName } from '../../src-shared/fields.ts'
import { fieldLabel } from '../words/field-label.ts'
import { ConflictNote } from './conflict-note.tsx'
import { LabelLine, Problem } from './field-input.tsx'
import { useFields } from './fields-context.ts'
import { fieldId } from './focus-field.ts'
import css from './field-input.module.css'
import { t } from '../words/t.ts'

/** The word for "nothing stated"; the interface has none, and nothing is sent. */
const UNKNOWN_VALUE = 'notKnown'

export type ChoiceInputProps = {
  readonly name: Extract<FieldName, 'gender' | 'diabetes'>
  readonly choices: readonly { readonly code: number; readonly label: string }[]
}

/** Two codes of the interface and "not known", which a program must not turn into a statement. */
export function ChoiceInput({ name, choices }: ChoiceInputProps) {
  const fields = useFields()
  const text = fields.text(name)
  const problem = fields.problem(name)
  const labelId = `${fieldId(name)}-label`
  return (
    <div className={css.half} id={fieldId(name)}>
      <LabelLine name={name}>
        <span id={labelId} className={css.label}>
          {fieldLabel(name)}
        </span>
      </LabelLine>
      <SegmentedControl
        fullWidth
        aria-labelledby={labelId}
        value={text === '' ? UNKNOWN_VALUE : text}
        readOnly={fields.isFrozen}
        data={[
          ...choices.map(({ code, label }) => ({ value: String(code), label })),
          { value: UNKNOWN_VALUE, label: t('field:notKnown') },
        ]}
        onChange={(choice) => fields.write(name, choice === UNKNOWN_VALUE ? '' : choice)}
      />
      {problem !== null && <Problem message={problem} />}
      <ConflictNote name={name} />
    </div>
  )
}
