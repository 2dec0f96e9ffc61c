// Quantities in expressions: `quantity("1.5Gi").isLessThan(quantity("2Gi"))` (apiserver, pkg/cel/library/quantity.go).

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantitySign,
  quantityValue,
  subtractQuantities,
  tryParseQuantity,
} from "#cluster/api/quantity.ts";

class QuantityValue {
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }

  toString(): string {
    return formatQuantity(this.quantity);
  }

  toJSON(): string {
    return this.toString();
  }
}

export function addQuantityFunctions(environment: Environment): void {
  const type = "kubernetes.Quantity";
  const ofInteger = (value: bigint): QuantityValue => new QuantityValue(parseQuantity(String(value)));
  const isWhole = ({ quantity }: QuantityValue): boolean => quantityMilliValue(quantity) === quantityValue(quantity) * 1000;
  const compare = (a: QuantityValue, b: QuantityValue): number => compareQuantities(a.quantity, b.quantity);
  const add = (a: QuantityValue, b: QuantityValue): QuantityValue => new QuantityValue(addQuantities(a.quantity, b.quantity));
  const subtract = (a: QuantityValue, b: QuantityValue): QuantityValue =>
    new QuantityValue(subtractQuantities(a.quantity, b.quantity));
  environment
    .registerType(type, QuantityValue)
    .registerFunction(`quantity(string): ${type}`, (text: string) => {
      const quantity = tryParseQuantity(text);
      if (quantity === undefined) {
        throw new EvaluationError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
      }
      return new QuantityValue(quantity);
    })
    .registerFunction("isQuantity(string): bool", (text: string) => tryParseQuantity(text) !== undefined)
    .registerFunction(`${type}.isInteger(): bool`, isWhole)
    .registerFunction(`${type}.asInteger(): int`, (value: QuantityValue) => {
      if (!isWhole(value)) throw new EvaluationError("cannot convert value to integer");
      return BigInt(quantityValue(value.quantity));
    })
    .registerFunction(`${type}.asApproximateFloat(): double`, ({ quantity }: QuantityValue) => quantityMilliValue(quantity) / 1000)
    .registerFunction(`${type}.sign(): int`, ({ quantity }: QuantityValue) => BigInt(quantitySign(quantity)))
    .registerFunction(`${type}.add(${type}): ${type}`, add)
    .registerFunction(`${type}.add(int): ${type}`, (a: QuantityValue, b: bigint) => add(a, ofInteger(b)))
    .registerFunction(`${type}.sub(${type}): ${type}`, subtract)
    .registerFunction(`${type}.sub(int): ${type}`, (a: QuantityValue, b: bigint) => subtract(a, ofInteger(b)))
    .registerFunction(`${type}.isLessThan(${type}): bool`, (a: QuantityValue, b: QuantityValue) => compare(a, b) < 0)
    .registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: QuantityValue, b: QuantityValue) => compare(a, b) > 0)
    .registerFunction(`${type}.compareTo(${type}): int`, (a: QuantityValue, b: QuantityValue) => BigInt(Math.sign(compare(a, b))))
    .registerOperator(`${type} == ${type}`, (a: QuantityValue, b: QuantityValue) => compare(a, b) === 0);
}
