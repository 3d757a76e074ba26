/** A part of the settings with its Save button, and what an administrator has locked. */
import { Button, NativeSelect, Radio, TextInput, type TextInputProps } from '@mantine/core'
import { IconBuilding, IconLock } from '@tabler/icons-react'
import { Form } from '../components/controls.tsx'
import { type ReactNode, type Ref, useId, useState } from 'react'
import { z } from 'zod'
import { CHOOSE_CALL } from '../../src-shared/desktop.ts'
import type { SettingsChanges, ShownSettings } from '../../src-shared/settings.ts'
import { readTypedNumber } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import type { DesktopBridge } from '../link/transports.ts'
import type { SettingsSection } from '../shell/navigation.tsx'
import { announce, showFailure, showToast } from '../shell/toast.tsx'
import { useCall, useSession, useStation } from '../store/use-station.ts'
import css from './settings-screen.module.css'

export type SettingsKey = keyof SettingsChanges

export type Managed = ShownSettings['managed']

/** The secret has its own lock: an enforced service without a secret in the file is completed here. */
const SECRET = 'service.clientSecret'

export function isEnforced(managed: Managed, key: SettingsKey): boolean {
  return managed[key] === 'enforced'
}

export function isSecretEnforced(managed: Managed): boolean {
  return managed[SECRET] === 'enforced'
}

/** May this part be changed? The station refuses a whole change if it touches an enforced part. */
export function mayChange(managed: Managed, key: SettingsKey): boolean {
  return !isEnforced(managed, key) || (key === 'service' && !isSecretEnforced(managed))
}

export function permittedChanges(changes: SettingsChanges, managed: Managed): SettingsChanges {
  return Object.fromEntries(Object.entries(changes).filter(([key]) => mayChange(managed, key as SettingsKey)))
}

const NONE_MANAGED: Managed = {}

export function useManaged(): Managed {
  return useStation((state) => state.settings?.managed ?? NONE_MANAGED)
}

export type SectionProps = { readonly settings: ShownSettings }

/** What the inputs of a form hold, by name of the setting: undefined if an input of it is wrong. */
type Typed = { readonly [Key in SettingsKey]?: SettingsChanges[Key] | undefined }

function refuse(message: string): false {
  showToast({ tone: 'red', message })
  return false
}

/** Saves what was changed in a form, and nothing else: what is set on this station no longer follows a file's defaults. */
export function useSaving(typed: Typed, before: Typed = typed) {
  const { store } = useSession()
  const { isBusy, call } = useCall(showFailure)
  const [untouched] = useState(before)
  const [isChecked, setChecked] = useState(false)
  const managed = useManaged()
  const names = Object.keys(typed) as SettingsKey[]
  const changed = names.filter((key) => JSON.stringify(typed[key]) !== JSON.stringify(untouched[key]))
  const isWrong = names.some((key) => typed[key] === undefined && mayChange(managed, key))
  /** True once all is saved. */
  const save = async (): Promise<boolean> => {
    // What an administrator has locked is no fault of the person, who cannot correct it.
    setChecked(isWrong)
    if (isWrong) return refuse(t('settings:correctFirst'))
    const sent = permittedChanges(Object.fromEntries(changed.map((key) => [key, typed[key]])), managed)
    if (Object.keys(sent).length === 0) return changed.length === 0 || refuse(t('shell:setByAdministrator'))
    const settings = await call('settings.update', sent)
    if (settings) store.setState({ settings })
    return settings !== null
  }
  /** `isChecked`: missing values are marked only after an attempt to save. */
  return {
    save,
    isBusy,
    isChecked,
    isSaved: changed.length === 0 && !isWrong,
    mayChange: names.some((key) => mayChange(managed, key)),
  }
}

type SettingsFormProps = {
  readonly section: SettingsSection
  readonly saving: ReturnType<typeof useSaving>
  readonly onSaved?: () => void
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** One part of the settings: its description, its inputs, and Save unless everything is locked. */
export function SettingsForm({ section, saving, onSaved, below, children }: SettingsFormProps) {
  const submit = async (): Promise<void> => {
    if (!(await saving.save())) return
    announce(t('settings:saved'))
    onSaved?.()
  }
  return (
    <Form className={css.form} onSubmit={() => saving.mayChange && void submit()}>
      <p className={css.explain}>{t(`settings:${section}.explain`)}</p>
      {children}
      {saving.mayChange && (
        <div className={css.foot}>
          <Button
            type="submit"
            loading={saving.isBusy}
            aria-disabled={saving.isSaved}
            data-disabled={saving.isSaved}
          >
            {t(saving.isSaved ? 'settings:saved' : 'shell:save')}
          </Button>
        </div>
      )}
      {below}
    </Form>
  )
}

type ManagedGroupProps = {
  readonly part: SettingsKey
  /** False if the same note is shown just above. */
  readonly isNoted?: boolean
  readonly children: ReactNode
}

/** Inputs that an administrator may have preset: they say so, and are locked if enforced. */
export function ManagedGroup({ part, isNoted = true, children }: ManagedGroupProps) {
  const id = useId()
  const as = useManaged()[part]
  const Sign = as === 'enforced' ? IconLock : IconBuilding
  const hasNote = as !== undefined && isNoted
  return (
    <fieldset
      className={css.part}
      disabled={as === 'enforced'}
      aria-describedby={hasNote ? id : undefined}
      data-managed={as}
    >
      {hasNote && (
        <p id={id} className={css.note} data-managed={as}>
          <Sign size={17} aria-hidden />
          {t(as === 'enforced' ? 'shell:setByAdministrator' : 'settings:managed.preset')}
        </p>
      )}
      {children}
    </fieldset>
  )
}

export type NumberLimits = { readonly min: number; readonly max: number; readonly isWhole?: boolean }

/** The number in a text if it is within the limits, times `per`; else undefined. Pure. */
export function readNumber(text: string, limits: NumberLimits, per = 1): number | undefined {
  const { min, max, isWhole = false } = limits
  const typed = readTypedNumber(text)
  if (typed.kind !== 'number' || typed.value < min || typed.value > max) return undefined
  if (isWhole && !Number.isInteger(typed.value)) return undefined
  return per === 1 ? typed.value : Math.round(typed.value * per)
}

/** With at most two decimals if it is in a larger unit. */
function textOf(value: number | null | undefined, per: number): string {
  if (value === null || value === undefined) return ''
  return String(per === 1 ? value : Math.round((value / per) * 100) / 100)
}

type NumberSettingProps<Value extends number | null> = {
  readonly label: string
  readonly description?: string
  readonly unit?: string
  /** What is set or was typed; undefined if that is no number within the limits. */
  readonly value: Value | undefined
  /** In the shown unit. */
  readonly limits: NumberLimits
  /** The shown unit in units of the setting, such as a gigabyte in bytes. */
  readonly per?: number
  /** What an empty text says, if there may be no number. */
  readonly none?: Value
  /** Is the number in use? An unused one is disabled and never invalid. */
  readonly isUsed?: boolean
  readonly onWrite: (value: Value | number | undefined) => void
}

export function NumberSetting<Value extends number | null>(props: NumberSettingProps<Value>) {
  const { unit, value, limits, per = 1, none, isUsed = true, onWrite, ...rest } = props
  const { min, max } = limits
  const [untouched] = useState({ value, text: textOf(value, per) })
  const [text, setText] = useState(untouched.text)
  const write = (typed: string): void => {
    setText(typed)
    const isNone = none !== undefined && typed.trim() === ''
    // A text as it was means the exact number of before, which a file may have set beyond the limits.
    onWrite(typed === untouched.text ? untouched.value : isNone ? none : readNumber(typed, limits, per))
  }
  return (
    <TextInput
      {...rest}
      value={text}
      disabled={!isUsed}
      inputMode="decimal"
      autoComplete="off"
      rightSection={unit !== undefined && <span className="dim">{unit}</span>}
      rightSectionWidth={86}
      rightSectionPointerEvents="none"
      error={isUsed && value === undefined && t('settings:between', { min, max })}
      onChange={(event) => write(event.currentTarget.value)}
    />
  )
}

type CodeInputProps = Omit<TextInputProps, 'onChange'> & {
  readonly ref?: Ref<HTMLInputElement>
  readonly onWrite: (text: string) => void
}

/** A text that a browser must neither complete nor correct, such as a path or an id. */
export function CodeInput({ onWrite, ...rest }: CodeInputProps) {
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      {...rest}
      onChange={(event) => onWrite(event.currentTarget.value)}
    />
  )
}

/** `path` is null if the dialog was closed. */
const pathAnswerSchema = z.object({ ok: z.literal(true), value: z.object({ path: z.string().nullable() }) })

type PathInputProps = CodeInputProps & { readonly what: 'folder' | 'file' }

/** From a root, as any system writes it: the station may run on another computer than the window. */
export function isWholePath(path: string): boolean {
  return /^([a-z]:)?[\\/]/i.test(path.trim())
}

/** A path. In the desktop window the system's dialog gives it, too; a browser knows no path. */
export function PathInput({ what, ...props }: PathInputProps) {
  // As Windows copies a path.
  const onWrite = (path: string): void => props.onWrite(path.replaceAll(/^\s*"+|"+\s*$/g, ''))
  const browse = async (desktop: DesktopBridge): Promise<void> => {
    // A host that does not answer has chosen none; the link reports that it is gone.
    const answer = pathAnswerSchema.safeParse(await desktop.call(CHOOSE_CALL, what).catch(() => null))
    const path = answer.data?.value.path ?? null
    if (path !== null) onWrite(path)
  }
  const { fundusCourier: bridge } = window
  return (
    <CodeInput
      {...props}
      onWrite={onWrite}
      {...(bridge && {
        rightSectionWidth: 100,
        rightSection: (
          <Button variant="subtle" size="compact-sm" onClick={() => void browse(bridge)}>
            {t('settings:browse')}
          </Button>
        ),
      })}
    />
  )
}

type ChoiceProps<Choice extends string> = {
  readonly label: string
  readonly description?: string
  readonly choices: readonly Choice[]
  readonly value: Choice
  readonly labelOf: (choice: Choice) => string
  readonly onChoose: (choice: Choice) => void
}

function choose<Choice extends string>(props: ChoiceProps<Choice>, value: string): void {
  const chosen = props.choices.find((choice) => choice === value)
  if (chosen !== undefined) props.onChoose(chosen)
}

export function ChoiceSelect<Choice extends string>(props: ChoiceProps<Choice>) {
  const { choices, labelOf, onChoose: _choose, ...rest } = props
  return (
    <NativeSelect
      {...rest}
      data={choices.map((value) => ({ value, label: labelOf(value) }))}
      onChange={(event) => choose(props, event.currentTarget.value)}
    />
  )
}

type RadioChoiceProps<Choice extends string> = ChoiceProps<Choice> & {
  readonly hintOf?: (choice: Choice) => string
}

export function RadioChoice<Choice extends string>(props: RadioChoiceProps<Choice>) {
  const { choices, labelOf, hintOf, onChoose: _choose, ...rest } = props
  return (
    <Radio.Group {...rest} onChange={(value) => choose(props, value)}>
      <div className={css.choices}>
        {choices.map((choice) => (
          <Radio key={choice} value={choice} label={labelOf(choice)} description={hintOf?.(choice)} />
        ))}
      </div>
    </Radio.Group>
  )
}
