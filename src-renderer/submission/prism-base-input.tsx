import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { MeasurementField } from '../../src-shared/fields.ts'
import { BASE_DIRECTIONS, degreesOfBase, directionOfBase, type BaseDirection } from '../format/prism-base.ts'
import { fieldLabel } from '../words/field-label.ts'
import { t } from '../words/t.ts'
import { ConflictNote } from './conflict-note.tsx'
import { readField } from './draft.ts'
import { eyeValuesOf } from './eye-values.ts'
import { Problem, SourceMark } from './field-input.tsx'
import { useFields } from './fields-context.ts'
import { fieldId } from './focus-field.ts'
import { isHalfNeeded, noteOn } from './measurement-notes.ts'
import { MeasurementNoteText } from './measurement-note-text.tsx'
import css from './measurements-block.module.css'

type Choice = BaseDirection | 'none' | 'other'

/** Where the base of a prism points, said as people say it, with the degrees that are sent for it. */
export function PrismBaseInput({ prefix }: { readonly prefix: 'od' | 'os' }) {
  const fields = useFields()
  const name: MeasurementField = `${prefix}_prism_base`
  const eye = prefix === 'od' ? 'right' : 'left'
  const { vaUnit, prismBase, isLoaded } = fields.clinical
  const text = fields.text(name)
  const value = fields.value(name)
  const direction = typeof value === 'number' ? directionOfBase(eye, value, prismBase) : null
  const [wantsAngle, setWantsAngle] = useState(false)
  const isAngle = text !== '' && (direction === null || wantsAngle)
  const choice: Choice = isAngle || (wantsAngle && text === '') ? 'other' : (direction ?? 'none')
  const own = eyeValuesOf(prefix, fields)
  const note = noteOn('prism_base', own, {}, vaUnit)
  const problem = fields.problem(name)
  const isIdle = text === '' && !isHalfNeeded('prism_base', own)
  const isReadOnly = fields.isFrozen || !isLoaded

  const choose = (next: Choice): void => {
    setWantsAngle(next === 'other')
    if (next === 'none') fields.write(name, '')
    else if (next !== 'other') fields.write(name, String(degreesOfBase(eye, next, prismBase)))
  }
  const showUnderstood = (): void => {
    const read = readField(name, text, vaUnit)
    if (read.kind === 'value' && String(read.value) !== text) fields.write(name, String(read.value))
  }
  return (
    <div className={css.cell} data-idle={isIdle} data-kind="base">
      <div className={css.base} data-angle={choice === 'other'}>
        <NativeSelect
          id={fieldId(name)}
          size="sm"
          aria-label={fieldLabel(name)}
          value={choice}
          disabled={isIdle || isReadOnly}
          data={(['none', ...BASE_DIRECTIONS, 'other'] as const).map((one) => ({
            value: one,
            label: t(`measure:base.${one}`),
          }))}
          onChange={(event) => choose(event.currentTarget.value as Choice)}
        />
        {choice === 'other' && (
          <TextInput
            size="sm"
            aria-label={t('measure:base.degrees', { label: fieldLabel(name) })}
            value={text}
            readOnly={isReadOnly}
            inputMode="decimal"
            autoComplete="off"
            rightSection={<span className={css.unit}>°</span>}
            rightSectionPointerEvents="none"
            onChange={(event) => fields.write(name, event.currentTarget.value)}
            onBlur={showUnderstood}
          />
        )}
      </div>
      {problem !== null ? (
        <div className={css.below}>
          <Problem message={problem} />
        </div>
      ) : note !== null ? (
        <div className={css.below}>
          <MeasurementNoteText note={note} />
        </div>
      ) : (
        choice !== 'none' &&
        typeof value === 'number' && (
          <div className={css.below}>
            <span className={css.echo}>{t('measure:base.sent', { degrees: value })}</span>
          </div>
        )
      )}
      <ConflictNote name={name} />
      <SourceMark name={name} isSmall />
    </div>
  )
}
