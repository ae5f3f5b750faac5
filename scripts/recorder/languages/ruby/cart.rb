# A shop's cart: each method fails in its own way.
module Shop
  class OutOfStock < StandardError; end

  class Cart
    def read_quantity(text)
      unit = 12
      Integer(text)
    rescue ArgumentError
      raise OutOfStock, "cannot read #{text}"
    end

    def order(text)
      password = 'hunter2'
      read_quantity(text)
    rescue OutOfStock => e
      raise "order 9 failed: #{e.message}"
    end

    def at(list, index)
      list.fetch(index)
    end
  end
end
