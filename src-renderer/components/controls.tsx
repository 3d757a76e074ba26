/** Small controls that many screens share. */
import { ActionIcon, Button, CloseButton, TextInput, Tooltip } from '@mantine/core'
import type { ActionIconProps, ButtonProps, ElementProps, TextInputProps } from '@mantine/core'
import { IconSearch, type Icon } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
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

/** Moves the focus through the elements that match, by the arrow keys. */
export function moveFocus(event: KeyboardEvent<HTMLElement>, selector: string): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const next = items[items.findIndex((item) => item === event.target) + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

type SmallButtonProps = ButtonProps & ElementProps<'button', keyof ButtonProps>

/** A button among text. */
export function SmallButton(props: SmallButtonProps) {
  return <Button size="compact-sm" variant="default" {...props} />
}

type LinkButtonProps = ButtonProps & ElementProps<'a', keyof ButtonProps | 'href'> & { readonly to: Route }

/** A link to a screen in the shape of a button. */
export function LinkButton({ to, ...rest }: LinkButtonProps) {
  return <Button component="a" variant="default" href={writeRoute(to)} {...rest} />
}

/** An instant as people write it, to the second in its title. */
export function Instant({ at, className = '' }: { readonly at: number; readonly className?: string }) {
  return (
    <time className={`tabular ${className}`.trim()} title={formatExactly(at)}>
      {formatInstant(at)}
    </time>
  )
}
