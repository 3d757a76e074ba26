/** The mark beside the clock: its line, its menu, and the number on the taskbar's button. */
import type { HostLanguage } from './host-language.ts'

type TrayWords = {
  /** The menu. */
  readonly open: string
  readonly pause: string
  readonly pause15: string
  readonly pause60: string
  readonly pauseUntilResumed: string
  readonly resume: string
  readonly settings: string
  readonly quit: string
  /** The line: what needs a person, then what goes on. */
  readonly attention: (count: number) => string
  readonly alarms: (count: number) => string
  readonly starting: string
  readonly stopping: string
  readonly stopped: string
  readonly working: (count: number) => string
  readonly waiting: (count: number) => string
  readonly idle: string
  /** `time`: when sending resumes by itself, as the clock on the wall shows it. */
  readonly pausedUntil: (time: string) => string
  readonly pausedUntilResumed: string
  readonly signedOut: string
  readonly serviceNotSet: string
  readonly offline: string
  readonly storage: string
  readonly diskLow: string
  readonly folderUnreachable: string
}

export const trayWords: Readonly<Record<HostLanguage, TrayWords>> = {
  en: {
    open: 'Open Fundus Courier',
    pause: 'Pause sending',
    pause15: 'For 15 minutes',
    pause60: 'For 1 hour',
    pauseUntilResumed: 'Until somebody resumes',
    resume: 'Resume sending',
    settings: 'Settings…',
    quit: 'Quit',
    attention: (count) => (count === 1 ? '1 case needs attention' : `${count} cases need attention`),
    alarms: (count) => (count === 1 ? '1 alarm' : `${count} alarms`),
    starting: 'starting',
    stopping: 'stopping',
    stopped: 'stopped',
    working: (count) => `${count} on the way`,
    waiting: (count) => `${count} waiting`,
    idle: 'everything is sent',
    pausedUntil: (time) => `sending is paused until ${time}`,
    pausedUntilResumed: 'sending is paused',
    signedOut: 'signed out, nothing is sent',
    serviceNotSet: 'no service is set up',
    offline: 'no connection to the service',
    storage: 'storage problem, nothing is sent',
    diskLow: 'the disk is nearly full',
    folderUnreachable: 'a camera folder cannot be reached',
  },
  es: {
    open: 'Abrir Fundus Courier',
    pause: 'Pausar el envío',
    pause15: 'Durante 15 minutos',
    pause60: 'Durante 1 hora',
    pauseUntilResumed: 'Hasta que alguien lo reanude',
    resume: 'Reanudar el envío',
    settings: 'Ajustes…',
    quit: 'Salir',
    attention: (count) => (count === 1 ? '1 caso requiere atención' : `${count} casos requieren atención`),
    alarms: (count) => (count === 1 ? '1 alarma' : `${count} alarmas`),
    starting: 'arrancando',
    stopping: 'deteniéndose',
    stopped: 'detenida',
    working: (count) => `${count} en camino`,
    waiting: (count) => `${count} en espera`,
    idle: 'todo está enviado',
    pausedUntil: (time) => `envío en pausa hasta las ${time}`,
    pausedUntilResumed: 'envío en pausa',
    signedOut: 'sesión cerrada, no se envía nada',
    serviceNotSet: 'no hay ningún servicio configurado',
    offline: 'sin conexión con el servicio',
    storage: 'problema de almacenamiento, no se envía nada',
    diskLow: 'el disco está casi lleno',
    folderUnreachable: 'no se puede acceder a una carpeta de la cámara',
  },
}
