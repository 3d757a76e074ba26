/** Catches rendering errors, so that one failed part does not blank the window. */
import { Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { CopyAction, EmptyState, LinkButton } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'
import css from './crash-view.module.css'

type CrashViewProps = {
  readonly shape: 'screen' | 'part'
  readonly errorText: string
  readonly onAgain: () => void
}

/** Shown instead of the failed part: nothing is lost, how to continue, and what to send to support. */
function CrashView({ shape, errorText, onAgain }: CrashViewProps) {
  const size = shape === 'screen' ? 'sm' : 'compact-sm'
  const buttons = (
    <Group gap="xs" justify="center" mt={shape === 'screen' ? 'sm' : 0}>
      <Button size={size} onClick={onAgain}>
        {t('shell:crash.again')}
      </Button>
      <Button size={size} variant="default" onClick={() => window.location.reload()}>
        {t('shell:crash.reload')}
      </Button>
      {shape === 'screen' && (
        <LinkButton to={{ screen: 'settings', section: 'it' }}>{t('shell:crash.diagnostics')}</LinkButton>
      )}
    </Group>
  )
  if (shape === 'part')
    return (
      <div role="alert" className={css.part}>
        <span>{t('shell:crash.part')}</span>
        {buttons}
      </div>
    )
  return (
    <div role="alert">
      <EmptyState
        isScreen
        icon={IconAlertTriangle}
        title={t('shell:crash.title')}
        body={t('shell:crash.body')}
      >
        {buttons}
        <p className={css.fault}>
          {/* The kind of error, to be read out on the telephone. */}
          <span className="tabular">{/^error: (\w+)$/m.exec(errorText)?.[1] ?? ''}</span>
          {/* Works also while the station is unreachable, and with it the diagnostics. */}
          <CopyAction text={errorText} label={t('shell:crash.copy')} />
        </p>
      </EmptyState>
    </div>
  )
}

const FRAMES = 30

/**
 * The error as a text for support, without its message, which may contain a patient's value, and without the
 * full address, which may contain a case id.
 */
export function crashText(crash: {
  readonly screen: string
  readonly error: unknown
  readonly componentStack: string
}): string {
  const { screen, error, componentStack } = crash
  const name = error instanceof Error && /^\w{1,60}$/.test(error.name) ? error.name : 'unknown'
  // A stack also contains the error's message, some of whose lines may resemble a frame; those end with no position.
  const thrownAt =
    error instanceof Error ? framesOf(error.stack ?? '').filter((frame) => frame.endsWith(')')) : []
  return [
    '== Screens ==',
    // The first segment behind the `#`: the following ones identify a case.
    `screen: ${/^#?\/?([a-z]+)/i.exec(screen)?.[1] ?? 'unknown'}`,
    `error: ${name}`,
    'thrown:',
    ...thrownAt,
    'drawn in:',
    ...framesOf(componentStack),
    '',
  ].join('\n')
}

/** `at QueueRow (queue-screen-3fa2c1.js:12:345)`: the name of a function or component, and its position. */
function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const at = /^\s*at ([\w$.]+)(?![\w$.]|:\/\/)/.exec(line)?.[1] ?? /^\s*([\w$.]+)@/.exec(line)?.[1]
      const position = /([\w.-]+\.(?:js|ts|tsx))(?:\?[^:)\s]*)?(:\d+:\d+)\)?\s*$/.exec(line)
      if (at === undefined && position === null) return []
      return [`  at ${at ?? 'unnamed'}${position === null ? '' : ` (${position[1]}${position[2]})`}`]
    })
    .slice(0, FRAMES)
}

type Props = {
  readonly children: ReactNode
  /** A change of the location retries: an error on one screen says nothing about another. */
  readonly location: string
  /** A failed part of the frame becomes one line, so that the screen in it remains usable. */
  readonly shape?: 'screen' | 'part'
}

type State = {
  readonly phase: 'drawn' | 'failed'
  readonly location: string
  /** Empty until React has reported the position. */
  readonly errorText: string
}

/** Only a class component can catch what its children throw. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { phase: 'drawn', location: this.props.location, errorText: '' }

  static getDerivedStateFromError(): Partial<State> {
    return { phase: 'failed' }
  }

  static getDerivedStateFromProps({ location }: Props, state: State): State | null {
    return location === state.location ? null : { phase: 'drawn', location, errorText: '' }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    const screen = this.props.location
    this.setState({ errorText: crashText({ screen, error, componentStack: componentStack ?? '' }) })
  }

  override render(): ReactNode {
    if (this.state.phase === 'drawn') return this.props.children
    return (
      <CrashView
        shape={this.props.shape ?? 'screen'}
        errorText={this.state.errorText}
        onAgain={() => this.setState({ phase: 'drawn', errorText: '' })}
      />
    )
  }
}
