/** Small controls that many screens share, and what is shown in place of a value. */
import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  CloseButton,
  CopyButton,
  type ElementProps,
  Loader,
  Switch,
  type SwitchProps,
  TextInput,
  type TextInputProps,
  Tooltip,
} from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconCheck,
  IconCopy,
  IconFilterOff,
  IconSearch,
} from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import { formatCalendarDay, formatCountdown, formatExactly, formatInstant } from '../format/dates.ts'
import { formatBytes } from '../format/numbers.ts'
import { failureTitle, joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { type Route, writeRoute } from '../shell/navigation.tsx'
import { useStationNow } from './browser.tsx'
import css from './notices.module.css'

type IconActionProps = ActionIconProps &
  ElementProps<'button', keyof ActionIconProps> & {
    readonly label: string
    readonly icon: Icon
    readonly iconSize?: number
  }

/** A button with an icon only; its label is its tooltip. */
export function IconAction({ label, icon: Sign, iconSize = 17, ...rest }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} {...rest}>
        <Sign size={iconSize} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

type SearchInputProps = Pick<TextInputProps, 'className' | 'onKeyDown'> & {
  readonly label: string
  readonly text: string
  readonly onWrite: (text: string) => void
  readonly width?: number
}

export function SearchInput({ label, text, onWrite, width, ...rest }: SearchInputProps) {
  return (
    <TextInput
      type="search"
      role="searchbox"
      w={width}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={17} aria-hidden />}
      value={text}
      onChange={(event) => onWrite(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && onWrite('')}
      rightSection={
        text !== '' && (
          <CloseButton size="sm" aria-label={t('shell:clearSearch')} onClick={() => onWrite('')} />
        )
      }
      {...rest}
    />
  )
}

type DayInputProps = TextInputProps & { readonly value: string }

/** Shows a day as all days are shown: a browser's field follows the system, where 11/12 may be either. */
export function DayInput(props: DayInputProps) {
  return <TextInput type="date" data-shown={formatCalendarDay(props.value)} {...props} />
}

type FactProps = {
  readonly name: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function Fact({ name, className = 'tabular', children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  )
}

/** Moves the focus through these elements by the arrow keys, from wherever in a row it is. */
export function moveFocus(event: KeyboardEvent<HTMLElement>, selector: string, row = selector): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const own = event.target instanceof Element ? event.target.closest(row) : null
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = items.findIndex((item) => item.closest(row) === own)
  const next = items[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

export type TextButtonProps = ButtonProps & ElementProps<'button', keyof ButtonProps>

/** A button with a sign before its text. */
export function ActionButton({ icon: Sign, ...rest }: TextButtonProps & { readonly icon: Icon }) {
  return <Button variant="default" leftSection={<Sign size={17} aria-hidden />} {...rest} />
}

/** A button among text. */
export function SmallButton({ icon: Sign, ...rest }: TextButtonProps & { readonly icon?: Icon }) {
  const sign = Sign && <Sign size={15} aria-hidden />
  return <Button size="compact-sm" variant="default" leftSection={sign} {...rest} />
}

type LinkButtonProps = ButtonProps & ElementProps<'a', keyof ButtonProps | 'href'> & { readonly to: Route }

/** A link to a screen in the shape of a button. */
export function LinkButton({ to, ...rest }: LinkButtonProps) {
  return <Button component="a" variant="default" href={writeRoute(to)} {...rest} />
}

type ToggleProps = Pick<SwitchProps, 'label' | 'description' | 'disabled'> & {
  readonly isOn: boolean
  readonly onWrite: (isOn: boolean) => void
}

export function Toggle({ isOn, onWrite, ...rest }: ToggleProps) {
  return <Switch checked={isOn} onChange={(event) => onWrite(event.currentTarget.checked)} {...rest} />
}

type FormProps = {
  readonly className?: string | undefined
  readonly onSubmit: () => void
  readonly children: ReactNode
}

/** A form that the page itself submits: by its button, or by Enter. */
export function Form({ onSubmit, ...rest }: FormProps) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    onSubmit()
  }
  return <form noValidate onSubmit={submit} {...rest} />
}

type InstantProps = {
  readonly at: number
  readonly className?: string
  /** In place of the instant as people write it. */
  readonly children?: ReactNode
}

/** An instant, to the second in its title. */
export function Instant({ at, className = '', children = formatInstant(at) }: InstantProps) {
  return (
    <time className={`tabular ${className}`.trim()} title={formatExactly(at)}>
      {children}
    </time>
  )
}

type CopyActionProps = { readonly text: string; readonly label?: string }

export function CopyAction({ text, label = t('shell:copy') }: CopyActionProps) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <IconAction
          label={copied ? t('shell:copied') : label}
          size={28}
          icon={copied ? IconCheck : IconCopy}
          iconSize={15}
          onClick={copy}
        />
      )}
    </CopyButton>
  )
}

type FailureNoticeProps = {
  readonly failure: Failure
  readonly tone?: 'red' | 'amber'
  readonly children?: ReactNode
}

/** A failure in full: what happened, what it means, what to do, the service's own message, and a copy for support. */
export function FailureNotice({ failure, tone = 'red', children }: FailureNoticeProps) {
  const title = failureTitle(failure.kind)
  const message = messageOf(failure)
  const { kind, status, requestBytes } = failure
  const facts = joinTexts(
    kind,
    status !== undefined && t('part:status', { status }),
    requestBytes !== undefined && t('part:requestSize', { size: formatBytes(requestBytes) }),
  )
  return (
    <section className={css.notice} data-tone={tone}>
      <IconAlertTriangle size={20} className={css.icon} aria-hidden />
      <div className={css.text}>
        <strong>{title}</strong>
        <p>{message}</p>
        {failure.serviceSaid !== undefined && (
          <p className={css.quote}>
            {t('part:serviceSaid')} <q>{failure.serviceSaid}</q>
          </p>
        )}
        <p className={css.facts}>
          <span className="tabular">{facts}</span>
          <CopyAction text={[title, message, failure.serviceSaid, facts].filter(Boolean).join('\n')} />
        </p>
        {children}
      </div>
    </section>
  )
}

type NotReadProps = { readonly failure: Failure | null; readonly label: string }

/** In place of a value that is not there: why it cannot be read, or that it is being read. */
export function NotRead({ failure, label }: NotReadProps) {
  if (failure) return <FailureNotice failure={failure} tone="amber" />
  return <Loader display="block" m="28px auto" aria-label={label} />
}

/** A sentence that a person must read before continuing. */
export function Caution({ children }: { readonly children: ReactNode }) {
  return (
    <p className={css.caution} data-tone="amber">
      <IconAlertTriangle size={18} aria-hidden />
      <span>{children}</span>
    </p>
  )
}

type EmptyStateProps = {
  readonly icon: Icon
  readonly title: string
  readonly body?: string | null
  /** If it replaces a whole screen, its title is the title of the screen. */
  readonly isScreen?: boolean
  readonly children?: ReactNode
}

export function EmptyState({ icon: Sign, title, body = null, isScreen = false, children }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      <span className={css.sign}>
        <Sign size={28} stroke={1.6} aria-hidden />
      </span>
      {isScreen ? <h1>{title}</h1> : <strong>{title}</strong>}
      {body !== null && <p>{body}</p>}
      {children}
    </div>
  )
}

type ClearFiltersProps = {
  readonly isFiltered: boolean
  readonly onClear: () => void
}

/** Clears the filters of a list. It stays in place when disabled, so that the filters beside it do not move. */
export function ClearFilters({ isFiltered, onClear }: ClearFiltersProps) {
  return (
    <ActionButton variant="subtle" color="gray" icon={IconFilterOff} disabled={!isFiltered} onClick={onClear}>
      {t('shell:clearFilters')}
    </ActionButton>
  )
}

type CountdownProps = {
  readonly until: number
  readonly format: (left: string) => string
  readonly elapsedText: string
}

export function Countdown({ until, format, elapsedText }: CountdownProps) {
  const left = until - useStationNow()
  return <span className="tabular">{left > 0 ? format(formatCountdown(left)) : elapsedText}</span>
}
