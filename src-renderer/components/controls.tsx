/** Small controls that many screens share. */
import { ActionIcon, Button, CloseButton, Switch, TextInput, Tooltip } from '@mantine/core'
import type { ActionIconProps, ButtonProps, ElementProps, SwitchProps, TextInputProps } from '@mantine/core'
import { IconSearch, type Icon } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react'
import { formatExactly, formatInstant } from '../format/dates.ts'
import { type Route, writeRoute } from '../shell/navigation.tsx'

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
  /** Labels a button that clears the text; without it there is none. */
  readonly clearLabel?: string
  readonly width?: number
}

export function SearchInput({ label, text, onWrite, clearLabel, width, ...rest }: SearchInputProps) {
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
        clearLabel !== undefined &&
        text !== '' && <CloseButton size="sm" aria-label={clearLabel} onClick={() => onWrite('')} />
      }
      {...rest}
    />
  )
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

/**
 * Moves the focus through the elements that match, by the arrow keys. From another element of a row, it moves to the
 * row below or above.
 */
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

type TextButtonProps = ButtonProps & ElementProps<'button', keyof ButtonProps>

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
