package com.example.shop;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

public interface Books extends JpaRepository<Book, Integer> {
  List<Book> findAllByOrderByTitle();
}
