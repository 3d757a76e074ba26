/** The fields of the form, each with its label, source and problem. */
import { Group, Input, SegmentedControl, Text, Textarea, TextInput } from '@mantine/core'
import { type Icon, IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DIABETES_CODES, type FieldName, GENDER_CODES, measurementOf } from '../../src-shared/fields.ts'
import { SmallButton } from '../components/controls.tsx'
import { formatCalendarDay } from '../format/dates.ts'
import { fieldLabel, t } from '../i18n/i18n.ts'
import { useMaskedInput, useNames } from '../privacy/names.tsx'
import type { SaveState } from './autosave.ts'
import css from './field-input.module.css'
import { elementId, focusField, HALF_TYPED_DATE, REST_ID, useCase } from './form.ts'
import screen from './submission-screen.module.css'

type BlockProps = {
  readonly id: string
  readonly title: string
  readonly explain?: string
  readonly icon?: Icon
  /** Of a part that asks for something, or says what happens now. */
  readonly tone?: 'amber' | 'blue' | 'red'
  readonly isBusy?: boolean
  readonly children: ReactNode
}

/** A part of the screen with its heading, which takes the focus after what a person did there. */
export function Block({ id, title, explain, icon: Sign, tone, isBusy = false, children }: BlockProps) {
  return (
    <section className={screen.block} data-tone={tone} aria-labelledby={id} aria-busy={isBusy}>
      <h2 id={id} className={screen.blockTitle} tabIndex={-1}>
        {Sign && <Sign size={18} aria-hidden />}
        {title}
      </h2>
      {explain !== undefined && <p className={screen.explain}>{explain}</p>}
      {children}
    </section>
  )
}

type FieldInputProps = {
  readonly name: FieldName
  /** Twelfths of the form's width. */
  readonly span: 2 | 5 | 6
  readonly kind?: 'text' | 'date' | 'number' | 'lines'
}

const NAMES: readonly FieldName[] = ['last_name', 'first_name']

export function FieldInput({ name, span, kind = 'text' }: FieldInputProps) {
  const fields = useCase()
  const problem = fields.problem(name)
  const text = fields.text(name)
  const cover = useMaskedInput(text)
  const isCovered = NAMES.includes(name) && cover.readOnly
  const common = {
    id: elementId('field', name),
    label: fieldLabel(name),
    withAsterisk: fields.isRequired(name) && text === '',
    'aria-required': fields.isRequired(name),
    value: text === HALF_TYPED_DATE ? '' : text,
    readOnly: fields.isFrozen,
    error: problem !== null && <Problem message={problem} />,
    errorProps: { component: 'div' },
    autoComplete: 'off',
    spellCheck: kind === 'lines',
    ...(NAMES.includes(name) && { ...cover, readOnly: fields.isFrozen || isCovered }),
  } as const
  return (
    <div style={{ gridColumn: `span ${span}` }}>
      {kind === 'lines' ? (
        <Textarea
          {...common}
          autosize
          minRows={2}
          maxRows={8}
          onChange={(event) => fields.write(name, event.currentTarget.value)}
        />
      ) : (
        <TextInput
          {...common}
          {...(kind === 'date' && { type: 'date', 'data-shown': formatCalendarDay(common.value) })}
          inputMode={kind === 'number' ? 'decimal' : undefined}
          onChange={({ currentTarget }) =>
            fields.write(name, currentTarget.validity.badInput ? HALF_TYPED_DATE : currentTarget.value)
          }
        />
      )}
      <ConflictNote name={name} />
      {name === 'history_number' && <RestNote />}
      {name === 'age' && <AgeInMonths />}
    </div>
  )
}

/** What the years of an infant say too roughly, unless a person has typed another age. */
function AgeInMonths() {
  const { proof, text } = useCase()
  const months = proof.ageMonths
  if (months === null || text('age') !== String(Math.floor(months / 12))) return null
  return <p className="small dim">{t('field:months', { count: months })}</p>
}

export function Problem({ message }: { readonly message: string }) {
  return (
    <Group component="span" gap={5} wrap="nowrap" align="flex-start" className="small">
      <IconAlertCircle size={15} aria-hidden />
      {message}
    </Group>
  )
}

/** The option "nothing stated"; the interface has none, so nothing is sent. */
const UNKNOWN_VALUE = 'notKnown'

type ChoiceInputProps = {
  readonly name: Extract<FieldName, 'gender' | 'diabetes'>
  readonly choices: readonly (readonly [code: number, label: string])[]
}

/** Two codes of the interface and "not known", which a program must not turn into a statement. */
export function ChoiceInput({ name, choices }: ChoiceInputProps) {
  const fields = useCase()
  const text = fields.text(name)
  const problem = fields.problem(name)
  const labelId = `${elementId('field', name)}-label`
  return (
    <div style={{ gridColumn: 'span 6' }} id={elementId('field', name)}>
      <Input.Wrapper
        label={fieldLabel(name)}
        labelElement="div"
        labelProps={{ id: labelId }}
        withAsterisk={fields.isRequired(name) && text === ''}
        error={problem !== null && <Problem message={problem} />}
        errorProps={{ component: 'div' }}
      >
        <SegmentedControl
          fullWidth
          aria-labelledby={labelId}
          value={text === '' ? UNKNOWN_VALUE : text}
          readOnly={fields.isFrozen}
          data={[
            ...choices.map(([code, label]) => ({ value: String(code), label })),
            { value: UNKNOWN_VALUE, label: t('field:notKnown') },
          ]}
          onChange={(choice) => fields.write(name, choice === UNKNOWN_VALUE ? '' : choice)}
        />
      </Input.Wrapper>
      <ConflictNote name={name} />
    </div>
  )
}

/** Whether the station has the typed input. Its space is reserved, so that nothing beside it moves. */
export function SaveNote({ state: { text, isTrouble } }: { readonly state: SaveState }) {
  return (
    <Text
      component="span"
      lineClamp={2}
      maw={150}
      ta="right"
      className={isTrouble ? 'small red bold' : 'small dim'}
      title={text}
      role="status"
      aria-live="off"
    >
      {text}
    </Text>
  )
}

/** A field that was changed elsewhere during editing: shows both values, and a person chooses. */
export function ConflictNote({ name }: { readonly name: FieldName }) {
  const conflict = useCase().conflict(name)
  const names = useNames()
  if (conflict === null) return null
  const choose = (act: () => void) => () => {
    act()
    focusField(name)
  }
  return (
    <div className={css.conflict} data-tone="amber" role="alert">
      <p>
        {conflict.theirs === ''
          ? t('editor:conflict.cleared')
          : t('editor:conflict.changed', {
              value: NAMES.includes(name) ? names.name(conflict.theirs) : conflict.theirs,
            })}
      </p>
      <SmallButton onClick={choose(conflict.overwrite)}>{t('editor:conflict.keepMine')}</SmallButton>
      <SmallButton onClick={choose(conflict.takeTheirs)}>{t('editor:conflict.takeTheirs')}</SmallButton>
    </div>
  )
}

/** All measurements are named as one. */
export function listFields(names: readonly FieldName[]): string {
  const facts = names.filter((name) => measurementOf(name) === null).map(fieldLabel)
  return [...facts, ...(facts.length < names.length ? [t('submission:blocks.measurements')] : [])].join(', ')
}

/** Another number is typed: what came with the former one is kept or goes, and a person says which before it is saved. */
function RestNote() {
  const { rest } = useCase()
  if (rest === null) return null
  const { names, number, choice, choose } = rest
  return (
    <div
      id={REST_ID}
      className={css.conflict}
      data-tone="amber"
      role="group"
      aria-labelledby={`${REST_ID}-text`}
    >
      <p id={`${REST_ID}-text`} aria-live="polite">
        {t('editor:rest.text', { number, fields: listFields(names) })}
      </p>
      {(['keep', 'clear'] as const).map((each) => (
        <SmallButton key={each} aria-pressed={choice === each} onClick={() => choose(each)}>
          {t(`editor:rest.${each}`)}
        </SmallButton>
      ))}
    </div>
  )
}

export function PatientBlock() {
  return (
    <Block id="patient" title={t('submission:blocks.patient')}>
      <div className={screen.fields}>
        <FieldInput name="history_number" span={6} />
        <FieldInput name="visit_date" span={6} kind="date" />
        <FieldInput name="last_name" span={5} />
        <FieldInput name="first_name" span={5} />
        <FieldInput name="age" span={2} kind="number" />
        <ChoiceInput
          name="gender"
          choices={[
            [GENDER_CODES.female, t('field:female')],
            [GENDER_CODES.male, t('field:male')],
          ]}
        />
        <ChoiceInput
          name="diabetes"
          choices={[
            [DIABETES_CODES.yes, t('field:yes')],
            [DIABETES_CODES.no, t('field:no')],
          ]}
        />
      </div>
    </Block>
  )
}

export function ClinicalBlock() {
  return (
    <Block id="clinical" title={t('submission:blocks.clinical')}>
      <div className={screen.fields}>
        <FieldInput name="visit_reason" span={6} kind="lines" />
        <FieldInput name="ophthalmic_antecedents" span={6} kind="lines" />
        <FieldInput name="other_relevant_info" span={6} kind="lines" />
        <FieldInput name="retinologist_notes" span={6} kind="lines" />
      </div>
    </Block>
  )
}
