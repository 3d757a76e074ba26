import { Button } from '@mantine/core'
import type { MeasurementField } from '../../src-shared/fields.ts'
import type { VaUnit } from '../../src-shared/measurement-ranges.ts'
import type { LowVisionCode } from '../format/acuity.ts'
import { t } from '../words/t.ts'
import { useFields } from './fields-context.ts'
import { focusField } from './focus-field.ts'
import css from './measurements-block.module.css'

/** What was typed, and the value that is sent for it. */
export type Converted = { readonly typed: string; readonly value: number }

/** Shows beside a converted visual acuity what it was converted to. */
export function AcuityEcho({ converted, unit }: { readonly converted: Converted; readonly unit: VaUnit }) {
  return <span className={css.echo}>{t(`measure:acuity.${unit}`, converted)}</span>
}

export type LowVisionOfferProps = { readonly name: MeasurementField; readonly code: LowVisionCode }

/** No number stands for "counts fingers": the word goes to the reader, and the field stays empty. */
export function LowVisionOffer({ name, code }: LowVisionOfferProps) {
  const fields = useFields()
  const write = (): void => {
    const line = t('measure:acuity.noteLine', {
      eye: t(`field:eye.${name.startsWith('od') ? 'right' : 'left'}.short`),
      word: code,
      meaning: t(`measure:acuity.words.${code}`),
    })
    const notes = fields.text('retinologist_notes').trim()
    if (!notes.split('\n').includes(line))
      fields.write('retinologist_notes', notes === '' ? line : `${notes}\n${line}`)
    fields.write(name, '')
    focusField(name)
  }
  return (
    <Button size="compact-sm" variant="default" mt={4} onClick={write}>
      {t('measure:acuity.toNotes')}
    </Button>
  )
}
