import { type Network, type Node, networkFile, type Step, stepOf } from './onnx.ts';
import { dimsIn, floatOf, floatsIn, integersOf, networkIn, resultsOf } from './read-onnx.ts';

/**
 * Writes a network in fewer steps that say the same. The networks of PP-OCRv4 multiply and add single numbers after each convolution, and
 * write its activation as four steps. The runtime takes a third of its time for the convolutions and the rest for these, because between two
 * convolutions it also puts all numbers in another order for them (docs/choices/lean-networks.md).
 */
export function leaner(file: Uint8Array): Uint8Array {
  const network = networkIn(file);
  for (const rewrite of [withoutSingleNumbers, withShortActivations, withSingleGates]) rewrite(network);
  return networkFile(network);
}

/** Multiplies or adds a single number within the convolution before. */
function withoutSingleNumbers(network: Network): void {
  const { onlyUser, numberBeside } = lookUp(network);
  const gone = new Set<Step>();
  for (const conv of network.steps.filter(({ operation }) => operation === 'Conv')) {
    let [times, plus] = [1, 0];
    for (let next = following(conv); next !== undefined; next = following(conv)) {
      if (next.step.operation === 'Mul') [times, plus] = [times * next.number, plus * next.number];
      else plus += next.number;
      conv.outputs = next.step.outputs;
      gone.add(next.step);
    }
    if (times !== 1 || plus !== 0) adjust(network, conv, { after: [times, plus] });
  }
  network.steps = network.steps.filter((step) => !gone.has(step));

  function following(conv: Step) {
    const step = onlyUser(conv, 'Mul') ?? onlyUser(conv, 'Add');
    const number = step && numberBeside(step, conv);
    return step === undefined || number === undefined ? undefined : { step, number };
  }
}

/** What is done to the results of a convolution, and to what comes in: multiply by the first number, then add the second one. */
type Change = { after?: readonly [number, number]; before?: readonly [number, number] };

/** Changes the weights of a convolution. */
function adjust({ numbers }: Network, conv: Step, { after = [1, 0], before = [1, 0] }: Change): void {
  const [input = '', weightsName = '', biasName] = conv.inputs;
  const weights = floatsIn(numbers.get(weightsName));
  const [channels = 0] = weights?.dims ?? [];
  const bias = biasName === undefined ? new Float32Array(channels) : floatsIn(numbers.get(biasName))?.values;
  if (weights === undefined || bias === undefined) throw new Error('A convolution has no weights');
  const { values } = weights;
  const each = values.length / channels;
  for (let channel = 0; channel < channels; channel++) {
    let sum = 0;
    for (let index = channel * each; index < (channel + 1) * each; index++) {
      const weight = values[index] as number;
      sum += weight;
      values[index] = weight * after[0] * before[0];
    }
    bias[channel] = ((bias[channel] as number) + sum * before[1]) * after[0] + after[1];
  }
  const [newWeights, newBias] = [`weights for ${conv.outputs[0]}`, `bias for ${conv.outputs[0]}`];
  numbers.set(newWeights, weights).set(newBias, { dims: [channels], values: bias });
  conv.inputs = [input, newWeights, newBias];
}

/**
 * Writes the activation x · clip(x + 3, 0, 6) ÷ 6, and what is multiplied and added to it after that, as convolutions that change each number by
 * itself, with a hard sigmoid that the runtime joins with the first of them, and one product. So all of it keeps the order of the convolutions.
 */
function withShortActivations(network: Network): void {
  const { usersOf, channelsOf } = lookUp(network);
  const activations = findActivations(network);
  const gone = new Set([...activations.values()].flatMap(({ steps }) => steps));
  network.steps = network.steps.flatMap((step) => {
    const activation = activations.get(step);
    if (activation === undefined) return gone.has(step) ? [] : [step];
    const { input, output, times, plus } = activation;
    const users = usersOf(output);
    const isFolded = users.every((user) => user !== undefined && takesAsIs(user, plus));
    if (isFolded) for (const user of users) if (user) adjust(network, user, { before: [times, plus] });
    return shortOf(network, activation, channelsOf(input), isFolded);
  });
}

/** At the edge of a picture, a convolution with a margin sees zeros to which nothing was added. */
const takesAsIs = (user: Step, plus: number): boolean =>
  user.operation === 'Conv' && (plus === 0 || integersOf(user, 'pads').every((pad) => pad === 0));

type Activation = { input: string; output: string; times: number; plus: number; steps: Step[] };

/** The activations by their first step. */
function findActivations(network: Network): Map<Step, Activation> {
  const { onlyUser, numberBeside, channelsOf } = lookUp(network);
  const found = new Map<Step, Activation>();
  for (const first of network.steps) {
    const input = first.inputs.find((name) => !network.numbers.has(name));
    if (input === undefined || first.operation !== 'Add' || channelsOf(input) === 0) continue;
    const clip = onlyUser(first, 'Clip');
    const product = clip && onlyUser(clip, 'Mul');
    const sixth = product && onlyUser(product, 'Div');
    if (sixth === undefined || !product?.inputs.includes(input)) continue;
    if (numberBeside(first, input) !== 3 || !isToSix(clip) || numberBeside(sixth, product) !== 6) continue;
    const [times, scaled] = followed(sixth, 'Mul', 1);
    const [plus, last] = followed(scaled, 'Add', 0);
    const steps = [first, clip, product, sixth, scaled, last].filter((step) => step !== undefined);
    found.set(first, { input, output: last.outputs[0] ?? '', times, plus, steps });
  }
  return found;

  /** Up to version 10 of the operations the limits are attributes, and later they are inputs. */
  function isToSix(clip: Step | undefined): boolean {
    if (clip === undefined) return false;
    const [, least, most] = clip.inputs.map((name) => floatsIn(network.numbers.get(name))?.values[0]);
    return (least ?? floatOf(clip, 'min')) === 0 && (most ?? floatOf(clip, 'max')) === 6;
  }

  /** The single number of the step that follows, and that step; or the number that changes nothing. */
  function followed(step: Step, operation: string, nothing: number): [number, Step] {
    const next = onlyUser(step, operation);
    const number = next && numberBeside(next, step);
    return next === undefined || number === undefined ? [nothing, step] : [number, next];
  }
}

function shortOf(
  network: Network,
  { input, output, times, plus }: Activation,
  channels: number,
  isFolded: boolean,
): Step[] {
  const each = (from: string, to: string, weight: number, bias: number): Step => {
    const [weights, biases] = [`weights of ${to}`, `bias of ${to}`];
    const filled = (value: number) => new Float32Array(channels).fill(value);
    network.numbers.set(weights, { dims: [channels, 1, 1, 1], values: filled(weight) });
    network.numbers.set(biases, { dims: [channels], values: filled(bias) });
    const attributes = { kernel_shape: [1, 1], strides: [1, 1], pads: [0, 0, 0, 0], group: channels };
    return stepOf({ operation: 'Conv', inputs: [from, weights, biases], output: to, attributes });
  };
  const [same, gate, product] = [
    `same as ${input}`,
    `gate of ${input}`,
    isFolded ? output : `short ${output}`,
  ];
  const made: Node[] = [
    { operation: 'HardSigmoid', inputs: [same], output: gate, attributes: { alpha: 1 / 6, beta: 0.5 } },
    { operation: 'Mul', inputs: [input, gate], output: product },
  ];
  return [
    each(input, same, 1, 0),
    ...made.map(stepOf),
    ...(isFolded ? [] : [each(product, output, times, plus)]),
  ];
}

/** Writes x + x · gate as x · (gate + 1). A gate has one number for each channel, and x one for each pixel. */
function withSingleGates(network: Network): void {
  const { onlyUser, producerOf } = lookUp(network);
  const gone = new Set<Step>();
  const steps: Step[] = [];
  for (const step of network.steps) {
    const [input = '', gate = ''] = step.inputs;
    const sum = step.operation === 'Mul' ? onlyUser(step, 'Add') : undefined;
    if (sum?.inputs.includes(input) && producerOf(gate)?.operation === 'HardSigmoid') {
      const raised = `raised ${gate}`;
      network.numbers.set('one', { dims: [1], values: Float32Array.of(1) });
      steps.push(
        stepOf({ operation: 'Add', inputs: [gate, 'one'], output: raised }),
        stepOf({ operation: 'Mul', inputs: [input, raised], output: sum.outputs[0] ?? '' }),
      );
      gone.add(sum);
    } else if (!gone.has(step)) steps.push(step);
  }
  network.steps = steps;
}

/** What is connected with what, as long as no step changes. */
function lookUp(network: Network) {
  const producers = new Map(network.steps.flatMap((step) => step.outputs.map((output) => [output, step])));
  const users = new Map<string, (Step | undefined)[]>(
    resultsOf(network).map((result) => [result, [undefined]]),
  );
  for (const step of network.steps)
    for (const input of new Set(step.inputs)) users.set(input, [...(users.get(input) ?? []), step]);
  const usersOf = (name: string) => users.get(name) ?? [];
  const resultOf = (of: Step | string) => (typeof of === 'string' ? of : (of.outputs[0] ?? ''));

  return {
    usersOf,
    producerOf: (name: string) => producers.get(name),

    /** The step that takes the result of a step, if no other does and it is no result of the network. */
    onlyUser(step: Step, operation?: string): Step | undefined {
      const [user, ...more] = usersOf(resultOf(step));
      return more.length === 0 && (operation === undefined || user?.operation === operation)
        ? user
        : undefined;
    },

    /** The single number that a step adds, or multiplies or divides by, if it has one besides this input. */
    numberBeside(step: Step, of: Step | string): number | undefined {
      const [other = '', ...more] = step.inputs.filter((input) => input !== resultOf(of));
      const numbers = network.numbers.get(other);
      const isSingle = more.length === 0 && dimsIn(numbers).every((dim) => dim === 1);
      return isSingle ? floatsIn(numbers)?.values[0] : undefined;
    },

    /** The number of channels of the result of a convolution. Zero for anything else. */
    channelsOf(name: string): number {
      const producer = producers.get(name);
      if (producer?.operation !== 'Conv') return 0;
      return dimsIn(network.numbers.get(producer.inputs[1] ?? ''))[0] ?? 0;
    },
  };
}
